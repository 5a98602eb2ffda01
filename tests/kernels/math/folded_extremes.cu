// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maxima and minima that loops fold, bit by bit: NaNs are passed over wherever they stand, zeros have an order. Loops that
// begin with a number, with the first value (which may be NaN), and that leave out values by a condition.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.5.7-01
#include "check.h"

#include <cmath>
#include <cstring>
#include <limits>

constexpr int kThreads = 64, kRows = 5;

template <class T>
struct Found {
  T largest[kThreads], smallest[kThreads], from_first[kThreads], chosen[kThreads];
};

__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float smaller(float a, float b) { return fminf(a, b); }
__device__ double larger(double a, double b) { return fmax(a, b); }
__device__ double smaller(double a, double b) { return fmin(a, b); }

template <class T>
__global__ void fold(const T *in, int rows, T start, Found<T> *found) {
  int t = threadIdx.x;
  T largest = -start, smallest = start, from_first = in[t], chosen = -start;
  for (int row = 0; row < rows; row++) {
    T x = in[row * kThreads + t];
    largest = larger(largest, x);
    smallest = smaller(x, smallest);
    from_first = larger(x, from_first);
    if (row % 2 == t % 2) {
      chosen = larger(x, chosen);
    }
  }
  found->largest[t] = largest;
  found->smallest[t] = smallest;
  found->from_first[t] = from_first;
  found->chosen[t] = chosen;
}

template <class T>
T pick(T a, T b, bool larger) {
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) ? b : a;
  }
  return a == b ? (std::signbit(a) == larger ? b : a) : ((a > b) == larger ? a : b);
}

template <class T>
bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

template <class T>
void check_type() {
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T values[] = {T(0), -T(0), nan, -nan, T(1), -T(1), infinity, -infinity, std::numeric_limits<T>::denorm_min()};
  constexpr int kValues = 9;
  T *in;
  Found<T> *found;
  CHECK_CUDA(cudaMallocManaged(&in, kRows * kThreads * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&found, sizeof(Found<T>)));
  unsigned seed = 1;
  for (T start : {infinity, T(0), -T(0)}) {
    for (int turn = 0; turn < 200; turn++) {
      for (int i = 0; i < kRows * kThreads; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i] = values[(seed >> 16) % (turn % 2 ? 4 : kValues)];
      }
      fold<<<1, kThreads>>>(in, kRows, start, found);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int t = 0; t < kThreads; t++) {
        T largest = -start, smallest = start, from_first = in[t], chosen = -start;
        for (int row = 0; row < kRows; row++) {
          const T x = in[row * kThreads + t];
          largest = pick(largest, x, true);
          smallest = pick(smallest, x, false);
          from_first = pick(from_first, x, true);
          chosen = row % 2 == t % 2 ? pick(chosen, x, true) : chosen;
        }
        CHECK(same(found->largest[t], largest));
        CHECK(same(found->smallest[t], smallest));
        CHECK(same(found->from_first[t], from_first));
        CHECK(same(found->chosen[t], chosen));
      }
    }
  }
}

int main() {
  check_type<float>();
  check_type<double>();
  return check_report();
}

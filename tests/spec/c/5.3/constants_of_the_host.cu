// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants that are declared without a memory space are used by value in kernels; static and constexpr variables of device functions.
// RUN: %mcc -std=c++17 --expt-relaxed-constexpr %s -o %t && %run %t
// covers: C-5.3.10.4-02 C-5.3.11-02 C-5.3.10.4-04
#include "check.h"

#include <cuda_runtime.h>

const int kInteger = 7;
const float kSingle = 1.25f;
const double kDouble = 2.5;
constexpr long kLong = 1L << 33;
enum { kEnumerator = 11 };
struct Limits {
  static const int kMost = 13;
  static constexpr double kRatio = 0.75;
};
template <typename T> struct Traits {
  static constexpr int kBytes = sizeof(T);
};
namespace inner {
const unsigned kMask = 0xf0f0f0f0u;
}
struct Literal {
  int x, y;
  constexpr Literal(int a, int b) : x(a), y(b) {}
  constexpr int sum() const { return x + y; }
};
constexpr Literal kLiteral(3, 4);
constexpr int kTable[4] = {2, 3, 5, 7};
constexpr int entry(int i) { return kTable[i]; }

__global__ void constants(double *out) {
  out[0] = kInteger;
  out[1] = kSingle;
  out[2] = kDouble;
  out[3] = kLong;
  out[4] = kEnumerator;
  out[5] = Limits::kMost + Limits::kRatio;
  out[6] = Traits<double>::kBytes;
  out[7] = inner::kMask;
  out[8] = kLiteral.x * 10 + kLiteral.sum();
  constexpr int third = entry(2);
  out[9] = third;
}

// Each side of the program has its own copy of a static variable.
__host__ __device__ int next() {
  static int last = 0;
  return ++last;
}
__device__ int count_up() {
  static int counts[2] = {100, 200};
  return atomicAdd(&counts[threadIdx.x % 2], 1);
}
__global__ void advance(int *out, int *ups) {
  if (threadIdx.x == 0) {
    *out = next();
  }
  ups[threadIdx.x] = count_up();
}

int main() {
  double *d;
  CHECK_CUDA(cudaMallocManaged(&d, 256));
  constants<<<1, 1>>>(d);
  CHECK_CUDA(cudaDeviceSynchronize());
  const double expected[] = {7, 1.25, 2.5, 8589934592.0, 11, 13.75, 8, 4042322160.0, 37, 5};
  for (int i = 0; i < 10; ++i) {
    CHECK_EQ(d[i], expected[i]);
  }

  CHECK_EQ(next(), 1);
  CHECK_EQ(next(), 2);
  CHECK_EQ(next(), 3);
  int *out, *ups;
  CHECK_CUDA(cudaMallocManaged(&out, sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&ups, 64 * sizeof(int)));
  for (int round = 1; round <= 2; ++round) {
    advance<<<1, 64>>>(out, ups);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(*out, round);
    int sum = 0;
    for (int i = 0; i < 64; ++i) {
      sum += ups[i];
    }
    // 32 threads of each parity took successive values from where the last launch ended.
    CHECK_EQ(sum, 32 * (100 + 200) + 2 * (31 * 32 / 2 + 32 * 32 * (round - 1)));
  }
  CHECK_EQ(next(), 4);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and sums in device code are one operation with one rounding unless --fmad=false, whatever stage could fuse them or take
// them apart; fma() is always fused, and the intrinsics that round each step never are.
// report: SauersML/gam#1686, NVlabs/cuda-oxide#315
// RUN: %mcc -O3 %s -o %t && %run %t 1
// RUN: %mcc -O0 -fmad=true %s -o %t && %run %t 1
// RUN: %mcc -O3 --fmad=false %s -o %t && %run %t 0
// RUN: %mcc -G -fmad=false %s -o %t && %run %t 0
// RUN: %mcc --device-cpu=x86-64-v2,x86-64-v3 %s -o %t && %run %t 1
// RUN: %mcc --device-cpu=x86-64-v2,x86-64-v3 --fmad=false %s -o %t && %run %t 0
// covers: C-2.7.4-03
#include "check.h"

#include <cmath>
#include <limits>

template <typename T> struct Results {
  T written[32], indirect[32], of_pairs[32], subtracted[32], explicit_fma[32], stepwise[32];
};

__device__ float multiply(float a, float b) { return __fmul_rn(a, b); }
__device__ double multiply(double a, double b) { return __dmul_rn(a, b); }
__device__ float add(float a, float b) { return __fadd_rn(a, b); }
__device__ double add(double a, double b) { return __dadd_rn(a, b); }
template <typename T> __device__ T product(T a, T b) { return a * b; }

// As headers with operators for vectors have them.
template <typename T> struct Pair {
  T x, y;
};
template <typename T> __host__ __device__ Pair<T> make_pair_of(T x, T y) {
  Pair<T> p;
  p.x = x;
  p.y = y;
  return p;
}
template <typename T> __host__ __device__ Pair<T> operator*(Pair<T> a, Pair<T> b) { return make_pair_of(a.x * b.x, a.y * b.y); }
template <typename T> __host__ __device__ Pair<T> operator+(const Pair<T> &a, const Pair<T> &b) { return make_pair_of(a.x + b.x, a.y + b.y); }

template <typename T> __global__ void calculate(const T *a, const T *b, const T *c, Results<T> *r) {
  int i = threadIdx.x;
  r->written[i] = a[i] * b[i] + c[i];
  r->indirect[i] = product(a[i], b[i]) + c[i];
  Pair<T> sum = Pair<T>{T(2), a[i]} * Pair<T>{T(3), b[i]} + Pair<T>{T(4), c[i]};
  r->of_pairs[i] = sum.y;
  r->subtracted[i] = c[i] - a[i] * b[i];
  r->explicit_fma[i] = fma(a[i], b[i], c[i]);
  r->stepwise[i] = add(multiply(a[i], b[i]), c[i]);
}

template <typename T> void test(bool is_fused) {
  T *values;
  Results<T> *r;
  CHECK_CUDA(cudaMallocManaged(&values, 3 * 32 * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&r, sizeof *r));
  T *a = values, *b = values + 32, *c = values + 64;
  int differ = 0;
  for (int i = 0; i < 32; ++i) {
    a[i] = T(1) + std::ldexp(T(i + 1), 6 - std::numeric_limits<T>::digits);
    b[i] = T(1) + std::ldexp(T(2 * i + 1), 6 - std::numeric_limits<T>::digits);
    volatile T rounded = a[i] * b[i];
    c[i] = -rounded;
  }
  calculate<<<1, 32>>>(a, b, c, r);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    T once = std::fma(a[i], b[i], c[i]);
    volatile T rounded = a[i] * b[i];
    T twice = rounded + c[i];
    differ += once != twice;
    T want = is_fused ? once : twice;
    CHECK_EQ(r->written[i], want);
    CHECK_EQ(r->indirect[i], want);
    CHECK_EQ(r->of_pairs[i], want);
    CHECK_EQ(r->subtracted[i], is_fused ? std::fma(-a[i], b[i], c[i]) : c[i] - rounded);
    CHECK_EQ(r->explicit_fma[i], once);
    CHECK_EQ(r->stepwise[i], twice);
  }
  CHECK(differ > 16);
}

int main(int, char **arguments) {
  bool is_fused = arguments[1][0] == '1';
  test<float>(is_fused);
  test<double>(is_fused);
  return check_report();
}

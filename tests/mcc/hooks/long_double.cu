// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long double has the same layout on both sides; device code reads and writes the host's values and calculates with the precision
// of double. Constant functions and literals that name the type are as good as their results.
// RUN: %mcc %s -o %t 2>%t.messages && %run %t && %FileCheck %s < %t.messages
// RUN: %if nvcc %{ %nvcc -std=c++17 -I%source/tests/support -arch=sm_90 -c %s -o %t.o %}
// gpu: no (values of 80 bits)
#include "check.h"

struct Record {
  char c;
  long double d;
  int i;
};
static_assert(sizeof(long double) == 16 && alignof(long double) == 16 && sizeof(Record) == 48, "the host's layout");

__host__ __device__ constexpr double operator""_deg(long double degrees) { return static_cast<double>(degrees) * 0.5; }

__device__ long double in_steps(long double x, int n) {
  for (int i = 0; i < n; ++i) x = x * 1.1L + (i % 2 ? x : -x) / 3;
  return x;
}

__global__ void calculate(Record *r, double *out, int n) {
  int i = threadIdx.x;
  long double x = r[i].d;
// CHECK: long_double.cu:[[@LINE+1]]:{{[0-9]+}}: warning: long double is treated as double in device code
  out[i] = static_cast<double>(in_steps(x, n)) + 90.0_deg;
  r[i].d = x / 3 + r[i].c;
  r[i].i = x > 5 ? static_cast<int>(-x) : static_cast<int>(x);
}

double steps(double x, int n) {
  for (int i = 0; i < n; ++i) {
    double part = (i % 2 ? x : -x) / 3;
    x = fma(x, 1.1, part);
  }
  return x;
}

// CHECK: {{^}}3 warnings generated
int main() {
  Record *r;
  double *out;
  CHECK_CUDA(cudaMallocManaged(&r, 40 * sizeof *r));
  CHECK_CUDA(cudaMallocManaged(&out, 40 * sizeof *out));
  for (int i = 0; i < 40; ++i) r[i] = {char(i), 0.3L * i, -1};
  calculate<<<1, 40>>>(r, out, 7);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 40; ++i) {
    double x = static_cast<double>(0.3L * i);
    CHECK_NEAR(out[i], steps(x, 7) + 45, 1e-12 * fabs(out[i]));
    CHECK(r[i].d == static_cast<long double>(x / 3 + i));
    CHECK_EQ(r[i].i, x > 5 ? int(-x) : int(x));
  }
  return check_report();
}

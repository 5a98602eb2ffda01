// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and sums of one expression are fused unless -fmad=false says otherwise; fma is fused always. The factors are such that the
// product's rounding error is all that is left.
// RUN: %mcc -std=c++17 -DFUSED=1 %s -o %t && %run %t
// RUN: %mcc -std=c++17 -O0 -DFUSED=1 %s -o %t && %run %t
// RUN: %mcc -std=c++17 -fmad=false -DFUSED=0 %s -o %t && %run %t
// RUN: %mcc -std=c++17 --use_fast_math -DFUSED=1 %s -o %t && %run %t
// covers: C-5.5.1-02
#include "check.h"

#include <cuda_runtime.h>

#include <cmath>

struct Pair {
  double twice;
  float once;
};
// Each row has its own copy of the operands, so that no row's product is another's.
__global__ void kernel(const Pair *factors, double minus, float minusf, Pair *out) {
#define A factors[row].twice
#define AF factors[row].once
  int row = 0;
  out[row] = {A * A - minus, AF * AF - minusf}, ++row;
  out[row] = {-minus + A * A, -minusf + AF * AF}, ++row;
  out[row] = {minus - A * A, minusf - AF * AF}, ++row;
  out[row] = {fma(A, A, -minus), fmaf(AF, AF, -minusf)}, ++row;
  out[row] = {std::fma(A, A, -minus), std::fma(AF, AF, -minusf)}, ++row;
  out[row] = {__dadd_rn(__dmul_rn(A, A), -minus), __fadd_rn(__fmul_rn(AF, AF), -minusf)}, ++row;
  out[row] = {__fma_rn(A, A, -minus), __fmaf_rn(AF, AF, -minusf)}, ++row;
  double acc = -minus;
  float accf = -minusf;
  acc += A * A;
  accf += AF * AF;
  out[row] = {acc, accf};
}

int main() {
  Pair *out, *factors;
  CHECK_CUDA(cudaMallocManaged(&out, 8 * sizeof(Pair)));
  CHECK_CUDA(cudaMallocManaged(&factors, 8 * sizeof(Pair)));
  const double a = 1 + ldexp(1, -27), minus = 1 + ldexp(1, -26);
  const float af = 1 + ldexpf(1, -12), minusf = 1 + ldexpf(1, -11);
  for (int i = 0; i < 8; ++i) {
    factors[i] = {a, af};
  }
  kernel<<<1, 1>>>(factors, minus, minusf, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const double exact = ldexp(1, -54);
  const float exactf = ldexpf(1, -24);
  const int sign[8] = {1, 1, -1, 1, 1, 1, 1, 1};
  const bool fused[8] = {FUSED, FUSED, FUSED, true, true, false, true, FUSED};
  for (int i = 0; i < 8; ++i) {
    CHECK_EQ(out[i].twice, fused[i] ? sign[i] * exact : 0.0);
    CHECK_EQ(out[i].once, fused[i] ? sign[i] * exactf : 0.0f);
  }
  return check_report();
}

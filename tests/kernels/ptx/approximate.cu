// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The approximate functions of inline PTX, within what the instruction set promises.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cmath>

__global__ void functions(const float *x, float *out, double *wide) {
  int i = threadIdx.x;
  float v = x[i], *r = out + 10 * i;
  asm("sin.approx.f32 %0, %1;" : "=f"(r[0]) : "f"(v));
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(r[1]) : "f"(v));
  asm("lg2.approx.f32 %0, %1;" : "=f"(r[2]) : "f"(v));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r[3]) : "f"(v));
  asm("tanh.approx.f32 %0, %1;" : "=f"(r[4]) : "f"(v));
  asm("rcp.approx.f32 %0, %1;" : "=f"(r[5]) : "f"(v));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r[6]) : "f"(v));
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r[7]) : "f"(v));
  asm("div.full.f32 %0, %1, %2;" : "=f"(r[8]) : "f"(v), "f"(3.0f));
  short h;
  asm("{ .reg .b16 t; cvt.rn.f16.f32 t, %1; tanh.approx.f16 %0, t; }" : "=h"(h) : "f"(v));
  asm("cvt.f32.f16 %0, %1;" : "=f"(r[9]) : "h"(h));
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(wide[i]) : "d"((double)v));
}

int main() {
  const float values[] = {0.1f, 0.5f, 1.0f, 1.7f, 2.9f, 0.003f, 3.1f, 2.2f};
  const int n = sizeof values / sizeof *values;
  float *x, *out;
  double *wide;
  cudaMallocManaged(&x, sizeof values);
  cudaMallocManaged(&out, 10 * sizeof values);
  cudaMallocManaged(&wide, n * 8);
  for (int i = 0; i < n; ++i) x[i] = values[i];
  functions<<<1, n>>>(x, out, wide);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    double v = values[i];
    const float *r = out + 10 * i;
    CHECK_NEAR(r[0], std::sin(v), 1e-6);
    CHECK_NEAR(r[1], std::cos(v), 1e-6);
    CHECK_NEAR(r[2], std::log2(v), 2e-6);
    CHECK_NEAR(r[3], std::exp2(v), 2e-6);
    CHECK_NEAR(r[4], std::tanh(v), 5e-4);
    CHECK_NEAR(r[5] * v, 1.0, 1e-6);
    CHECK_NEAR(r[6] * std::sqrt(v), 1.0, 1e-6);
    CHECK_NEAR(r[7] / std::sqrt(v), 1.0, 1e-6);
    CHECK_NEAR(r[8], v / 3, 1e-6);
    CHECK_NEAR(r[9], std::tanh(v), 2e-3);
    CHECK_NEAR(wide[i] * v, 1.0, 1e-6);
  }
  return check_report();
}

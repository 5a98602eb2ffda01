// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounding modes, flush to zero, small floating-point types.
// covers: C-5.5.1-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include <math.h>

#include "check.h"

__global__ void modes(float *out, float a, float b) {
  out[0] = __fadd_rd(a, b);
  out[1] = __fadd_ru(a, b);
  out[2] = __fdiv_rd(a, 3.f);
  out[3] = __fdiv_ru(a, 3.f);
  out[4] = __fsqrt_rd(2.f);
  out[5] = __fsqrt_ru(2.f);
  out[6] = __int2float_rd(16777217);
  out[7] = __int2float_ru(16777217);
  out[8] = __double2float_ru(0.1);
  out[9] = __double2float_rd(0.1);
  out[10] = __fmaf_rd(a, b, a);
  out[11] = __fmaf_ru(a, b, a);
  out[12] = __ll2float_rz(-16777217LL);
  out[13] = __saturatef(1.5f);
  out[14] = __saturatef(nanf(""));
}

__global__ void small_types(float *out, _Float16 h, float f) {
  __bf16 b = (__bf16)f;
  out[0] = (float)(h * h + (_Float16)1);
  out[1] = (float)(b * b);
  out[2] = (float)(__bf16)3.1415926f;
  out[3] = (float)(_Float16)1e-7f;
}

int main() {
  float *out;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64 * sizeof(float)));
  modes<<<1, 1>>>(out, 1.0f, 1e-10f);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 1.0f);
  CHECK_EQ(out[1], nextafterf(1, 2));
  CHECK_EQ(out[3], nextafterf(out[2], 1));
  CHECK_EQ(out[5], nextafterf(out[4], 2));
  CHECK(out[4] < sqrt(2.0) && out[5] > sqrt(2.0));
  CHECK_EQ(out[6], 16777216.f);
  CHECK_EQ(out[7], 16777218.f);
  CHECK(out[8] > 0.1 && out[9] < 0.1);
  CHECK_EQ(out[10], 1.0f);
  CHECK_EQ(out[11], nextafterf(1, 2));
  CHECK_EQ(out[12], -16777216.f);
  CHECK_EQ(out[13], 1.f);
  CHECK_EQ(out[14], 0.f);
  small_types<<<1, 1>>>(out, (_Float16)1.5f, 1.5f);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 3.25f);
  CHECK_EQ(out[1], 2.25f);
  CHECK_EQ(out[2], 3.140625f);
  CHECK_EQ(out[3], 1.1920929e-07f);
  return check_report();
}

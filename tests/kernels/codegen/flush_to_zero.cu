// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -ftz=true takes and gives zeros for single-precision denormals, and only for those; without it they are kept.
// covers: C-2.7.4-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -DFTZ -ftz=true %s -o %t && %run %t
// RUN: %mcc -DFTZ -use_fast_math %s -o %t && %run %t
// RUN: %mcc -G -DFTZ -ftz=true %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__global__ void k(float *f, double *d, float tiny, double tiny_double) {
  f[0] = tiny * 0.5f;
  f[1] = tiny + tiny;
  f[2] = (float)tiny_double;
  f[3] = tiny > 0;
  f[4] = tiny * 1e38f;
  f[5] = tiny;
  d[0] = tiny_double * 1e-280;
}

int main() {
  float *f;
  double *d;
  REQUIRE_CUDA(cudaMallocManaged(&f, 64));
  REQUIRE_CUDA(cudaMallocManaged(&d, 64));
  k<<<1, 1>>>(f, d, 1e-39f, 1e-40);
  CHECK_CUDA(cudaDeviceSynchronize());
#ifdef FTZ
  const float expected[] = {0, 0, 0, 0, 0, 1e-39f};
#else
  const float expected[] = {1e-39f * 0.5f, 1e-39f + 1e-39f, (float)1e-40, 1, 1e-39f * 1e38f, 1e-39f};
#endif
  for (int i = 0; i < 6; ++i) {
    CHECK_EQ(f[i], expected[i]);
  }
  CHECK(d[0] > 0);
  return check_report();
}

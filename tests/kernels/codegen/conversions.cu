// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating point to integer clamps; NaN gives 0, or the top bit where 64-bit types take part.
// covers: C-5.5.3-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include <limits.h>
#include <math.h>

#include "check.h"

__global__ void convert(int *out, long long *wide, float nan, float big, double dnan, double dbig, float small) {
  out[0] = (int)nan;
  out[1] = (int)big;
  out[2] = (int)-big;
  out[3] = (int)(unsigned)-big;
  out[4] = (int)dnan;
  out[5] = (int)dbig;
  out[6] = (signed char)small;
  out[7] = (int)(unsigned)dbig;
  out[8] = (int)-2.75f;
  wide[0] = (long long)nan;
  wide[1] = (long long)dnan;
  wide[2] = (long long)dbig;
  wide[3] = (long long)(unsigned long long)dbig;
}

int main() {
  int *out;
  long long *wide;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64));
  REQUIRE_CUDA(cudaMallocManaged(&wide, 64));
  convert<<<1, 1>>>(out, wide, NAN, 1e20f, NAN, 1e30, 300.7f);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[] = {0, INT_MAX, INT_MIN, 0, INT_MIN, INT_MAX, 44, -1, -2};
  for (int i = 0; i < 9; ++i) {
    CHECK_EQ(out[i], expected[i]);
  }
  CHECK_EQ(wide[0], LLONG_MIN);
  CHECK_EQ(wide[1], LLONG_MIN);
  CHECK_EQ(wide[2], LLONG_MAX);
  CHECK_EQ(wide[3], -1ll);
  return check_report();
}

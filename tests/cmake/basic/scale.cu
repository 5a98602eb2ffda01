// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "basic".
#include "scale.h"

static_assert(__cplusplus >= 201703L, "CUDA_STANDARD 17 reaches the compiler");

__global__ void scale_kernel(int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    values[i] *= FACTOR;
  }
}

void scale(int *device_values, int n) { scale_kernel<<<(n + 63) / 64, 64>>>(device_values, n); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "separable": a shared library with device code of its own.
#include "ops.h"

__global__ void sum(int *out) { atomicAdd(out, threadIdx.x); }

int side_sum(int n) {
  int *out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  sum<<<1, n>>>(out);
  cudaDeviceSynchronize();
  int result = *out;
  cudaFree(out);
  return result;
}

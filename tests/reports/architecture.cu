// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// report: NVIDIA/cccl#11403
// Libraries launch what was compiled for the architecture that the command line names, and
// cub failed with "invalid device function" for any but the newest.
// RUN: %mcc -arch=sm_80 %s -o %t && %run %t 80
// RUN: %mcc -gencode arch=compute_75,code=sm_75 %s -o %t && %run %t 75
// RUN: %mcc %s -o %t && %run %t 90
#include "check.h"

#include <cuda_runtime.h>

#include <cstdlib>

__global__ void kernel(int *out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__;
#endif
}

int main(int, char **arguments) {
  int arch = atoi(arguments[1]), *out;
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  CHECK_EQ(attributes.ptxVersion, arch);
  CHECK_EQ(attributes.binaryVersion, arch);
  CHECK_CUDA(cudaMallocManaged(&out, sizeof(int)));
  kernel<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, arch * 10);
  return check_report();
}

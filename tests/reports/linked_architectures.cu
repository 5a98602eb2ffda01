// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// report: NVIDIA/cccl#11403
// Objects for different architectures in one link. Each kernel tells the architecture
// that its own file was compiled for, by which libraries choose what they launch.
// RUN: %mcc -arch=sm_75 -dc -DFIRST %s -o %t.first.o && %mcc -arch=sm_90 -dc %s -o %t.second.o
// RUN: %mcc %t.first.o %t.second.o -o %t && %run %t
// RUN: %mcc -arch=sm_90 -dc -DFIRST %s -o %t.first.o && %mcc -arch=sm_75 -dc %s -o %t.second.o
// RUN: %mcc %t.second.o %t.first.o -o %t && %run %t
#include "check.h"

__global__ void first(int *architecture);
__global__ void second(int *architecture);

/// Stores what the code of this file was compiled for.
#ifdef FIRST
__global__ void first(int *architecture) {
#else
__global__ void second(int *architecture) {
#endif
#ifdef __CUDA_ARCH__
  *architecture = __CUDA_ARCH__ / 10;
#endif
}

#ifdef FIRST
int main() {
  int *architecture = nullptr;
  cudaFuncAttributes of_first = {}, of_second = {};
  CHECK_CUDA(cudaMallocManaged(&architecture, 2 * sizeof(int)));
  CHECK_CUDA(cudaFuncGetAttributes(&of_first, first));
  CHECK_CUDA(cudaFuncGetAttributes(&of_second, second));
  first<<<1, 1>>>(architecture);
  second<<<1, 1>>>(architecture + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(of_first.ptxVersion == architecture[0] && of_first.binaryVersion == architecture[0]);
  CHECK(of_second.ptxVersion == architecture[1] && of_second.binaryVersion == architecture[1]);
  CHECK_EQ(architecture[0] + architecture[1], 75 + 90);
  CHECK_CUDA(cudaFree(architecture));
  return check_report();
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA_LAUNCH_BLOCKING makes a launch wait for its kernel and report the kernel's own fault.
// RUN: %mcc %s -o %t && env CUDA_LAUNCH_BLOCKING=1 %run %t && env MUSA_LAUNCH_BLOCKING=1 %run %t
// covers: C-5.2.3.1-01
#include <cuda_runtime.h>

#include "check.h"

__global__ void slow(int *out) {
  for (int i = 0; i < 100000; i++) {
    *(volatile int *)out = i;
  }
}

__global__ void fault(int *out) { *out = 1; }

int main() {
  int *cell = nullptr;
  CHECK_CUDA(cudaMallocManaged(&cell, 4));
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  slow<<<1, 1, 0, stream>>>(cell);
  CHECK_CUDA(cudaStreamQuery(stream));
  CHECK_EQ(*cell, 99999);
  fault<<<1, 1>>>(nullptr);
  CHECK_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  return check_report();
}

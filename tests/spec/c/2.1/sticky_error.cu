// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// After a fault in a kernel every call fails with the same code, and the report names kernel, block and thread.
// gpu: no (about reports of the CPU driver)
// RUN: %mcc -lineinfo %s -o %t && %run %t 2>&1 | %FileCheck %s
// covers: C-2.1.7-03
#include "check.h"

__global__ void scatter(int *values, int wrong_block) {
  // CHECK: scatter
  // CHECK: block {{.*}}3
  int *where = blockIdx.x == wrong_block && threadIdx.x == 2 ? (int *)0x10 : &values[blockIdx.x];
  *where = 1;
}

int main() {
  int *values = nullptr;
  CHECK_CUDA(cudaMalloc(&values, 100 * sizeof(int)));
  scatter<<<8, 4>>>(values, 3);
  cudaError_t error = cudaDeviceSynchronize();
  CHECK(error == cudaErrorIllegalAddress || error == cudaErrorLaunchFailure);
  CHECK_ERROR(cudaFree(values), error);
  void *more = nullptr;
  CHECK_ERROR(cudaMalloc(&more, 16), error);
  scatter<<<1, 1>>>(values, 100);
  CHECK_ERROR(cudaGetLastError(), error);
  CHECK_ERROR(cudaDeviceSynchronize(), error);
  CHECK_EQ((int)cudaErrorIllegalAddress, 700);
  // CHECK: passed
  return check_report();
}

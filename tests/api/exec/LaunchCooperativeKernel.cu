// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchCooperativeKernel: all blocks of the grid run together, or none.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__global__ void count(int *threads) { atomicAdd(threads, 1); }

int main() {
  int *d = nullptr;
  REQUIRE_CUDA(cudaMalloc(&d, sizeof(int)));
  CHECK_CUDA(cudaMemset(d, 0, sizeof(int)));
  void *args[] = {&d};
  CHECK_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(count), dim3(2), dim3(8), args, 0, nullptr));
  int threads = 0;
  CHECK_CUDA(cudaMemcpy(&threads, d, sizeof threads, cudaMemcpyDeviceToHost));
  CHECK_EQ(threads, 16);
  CHECK_ERROR(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(count), dim3(1000000), dim3(1024), args, 0,
                                          nullptr),
              cudaErrorCooperativeLaunchTooLarge);
  CHECK_CUDA(cudaFree(d));
  return check_report();
}

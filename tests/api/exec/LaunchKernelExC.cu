// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchKernelExC, cudaLaunchKernelEx: a launch described by a structure.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__global__ void count(int *threads) { atomicAdd(threads, 1); }

int main() {
  int *d = nullptr;
  REQUIRE_CUDA(cudaMalloc(&d, sizeof(int)));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(3);
  config.blockDim = dim3(5);
  CHECK_CUDA(cudaMemset(d, 0, sizeof(int)));
  CHECK_CUDA(cudaLaunchKernelEx(&config, count, d));
  int threads = 0;
  CHECK_CUDA(cudaMemcpy(&threads, d, sizeof threads, cudaMemcpyDeviceToHost));
  CHECK_EQ(threads, 15);
  void *args[] = {&d};
  CHECK_CUDA(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(count), args));
  CHECK_CUDA(cudaMemcpy(&threads, d, sizeof threads, cudaMemcpyDeviceToHost));
  CHECK_EQ(threads, 30);
  CHECK_ERROR(cudaLaunchKernelExC(nullptr, reinterpret_cast<const void *>(count), args), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchKernelExC(&config, nullptr, args), cudaErrorInvalidDeviceFunction);
  config.numAttrs = 1;
  CHECK_ERROR(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(count), args), cudaErrorInvalidValue);
  config.numAttrs = 0;
  config.blockDim = dim3(4096);
  CHECK_ERROR(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(count), args), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(d));
  return check_report();
}

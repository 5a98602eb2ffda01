// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaFuncGetAttributes, cudaFuncSetAttribute, cudaFuncGetName, cudaFuncGetParamInfo.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <string.h>

extern "C" __global__ void __launch_bounds__(128) bounded(int *out, char c) {
  __shared__ int block[100];
  block[threadIdx.x % 100] = c;
  __syncthreads();
  if (out) {
    *out = block[0];
  }
}
__global__ void free_kernel() {}

int main() {
  const void *k = reinterpret_cast<const void *>(bounded);
  cudaFuncAttributes a{};
  CHECK_CUDA(cudaFuncGetAttributes(&a, bounded));
  CHECK_EQ(a.maxThreadsPerBlock, 128);
  CHECK_EQ(a.sharedSizeBytes, size_t{400});
  CHECK_CUDA(cudaFuncGetAttributes(&a, free_kernel));
  CHECK_EQ(a.maxThreadsPerBlock, 1024);
  CHECK_EQ(a.sharedSizeBytes, size_t{0});
  int host = 0;
  CHECK_ERROR(cudaFuncGetAttributes(&a, reinterpret_cast<const void *>(&host)), cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaFuncGetAttributes(nullptr, k), cudaErrorInvalidValue);

  CHECK_CUDA(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  CHECK_CUDA(cudaFuncGetAttributes(&a, bounded));
  CHECK_EQ(a.maxDynamicSharedSizeBytes, 60000);
  CHECK_ERROR(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 10000000), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFuncSetAttribute(k, static_cast<cudaFuncAttribute>(77), 1), cudaErrorInvalidValue);

  const char *name = nullptr;
  CHECK_CUDA(cudaFuncGetName(&name, k));
  CHECK(name != nullptr && strcmp(name, "bounded") == 0);
  size_t offset = 99, bytes = 99;
  CHECK_CUDA(cudaFuncGetParamInfo(k, 1, &offset, &bytes));
  CHECK_EQ(offset, size_t{8});
  CHECK_EQ(bytes, size_t{1});
  CHECK_ERROR(cudaFuncGetParamInfo(k, 2, &offset, &bytes), cudaErrorInvalidValue);

  bounded<<<1, 129>>>(nullptr, 0);
  CHECK(cudaGetLastError() != cudaSuccess);
  return check_report();
}

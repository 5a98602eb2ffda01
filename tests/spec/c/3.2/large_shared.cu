// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More than 48 KiB of dynamic shared memory after an opt-in; carve-out preferences are only hints.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.6-01 C-1.2.3-03
#include "check.h"

__global__ void reverse(int *values, int n) {
  extern __shared__ int room[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    room[i] = values[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    values[i] = room[n - 1 - i];
  }
}

int main() {
  int limit = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(limit >= 64 * 1024);
  const int n = 64 * 1024 / sizeof(int);
  int *values = nullptr;
  CHECK_CUDA(cudaMallocManaged(&values, n * sizeof(int)));
  for (int i = 0; i < n; ++i) {
    values[i] = i;
  }
  reverse<<<1, 256, n * sizeof(int)>>>(values, n);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFuncSetAttribute(reverse, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
  CHECK_CUDA(cudaFuncSetAttribute(reverse, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CHECK_CUDA(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * (int)sizeof(int)));
  reverse<<<1, 256, n * sizeof(int)>>>(values, n);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(values[i], n - 1 - i);
  }
  CHECK_ERROR(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, limit + 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(values));
  return check_report();
}

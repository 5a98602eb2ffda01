// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaHostAlloc, cudaMallocHost, cudaFreeHost: page-locked memory, its flags and its device pointer.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.6-01
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  int *p = nullptr;
  REQUIRE_CUDA(cudaHostAlloc(reinterpret_cast<void **>(&p), 4096, cudaHostAllocMapped | cudaHostAllocPortable));
  p[0] = 5;
  unsigned flags = 0;
  CHECK_CUDA(cudaHostGetFlags(&flags, p));
  CHECK((flags & cudaHostAllocMapped) != 0);
  CHECK((flags & cudaHostAllocPortable) != 0);
  int *device = nullptr;
  CHECK_CUDA(cudaHostGetDevicePointer(reinterpret_cast<void **>(&device), p, 0));
  int value = 0;
  CHECK_CUDA(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDefault));
  CHECK_EQ(value, 5);
  CHECK_ERROR(cudaFree(p), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeHost(p));
  CHECK_ERROR(cudaFreeHost(p), cudaErrorInvalidValue);

  void *other = nullptr;
  CHECK_CUDA(cudaMallocHost(&other, 64));
  CHECK_CUDA(cudaFreeHost(other));
  CHECK_CUDA(cudaFreeHost(nullptr));
  CHECK_ERROR(cudaFreeHost(&value), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostAlloc(&other, 64, 0x100), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostAlloc(nullptr, 64, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostGetDevicePointer(nullptr, &value, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaHostAlloc(&other, 0, 0));
  CHECK(other == nullptr);
  return check_report();
}

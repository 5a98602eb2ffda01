// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMallocManaged: memory that host and device share.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  int *p = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(reinterpret_cast<void **>(&p), 64, cudaMemAttachGlobal));
  p[3] = 7;
  int value = 0;
  CHECK_CUDA(cudaMemcpy(&value, p + 3, sizeof value, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 7);
  CHECK_CUDA(cudaMemset(p, 0xff, 64));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(p[3], -1);
  cudaPointerAttributes attributes{};
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, p));
  CHECK_EQ(attributes.type, cudaMemoryTypeManaged);
  CHECK_CUDA(cudaFree(p));
  CHECK_CUDA(cudaMallocManaged(reinterpret_cast<void **>(&p), 0, cudaMemAttachGlobal));
  CHECK(p == nullptr);
  CHECK_ERROR(cudaMallocManaged(reinterpret_cast<void **>(&p), 4, 7), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocManaged(nullptr, 4, cudaMemAttachGlobal), cudaErrorInvalidValue);
  return check_report();
}

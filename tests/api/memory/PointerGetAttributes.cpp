// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaPointerGetAttributes: what a pointer points to.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  char *p = nullptr;
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&p), 64));
  cudaPointerAttributes a{};
  CHECK_CUDA(cudaPointerGetAttributes(&a, p + 8));
  CHECK_EQ(a.type, cudaMemoryTypeDevice);
  CHECK_EQ(a.device, 0);
  CHECK_EQ(a.devicePointer, static_cast<void *>(p + 8));
  CHECK(a.hostPointer == nullptr);
  int local = 0;
  CHECK_CUDA(cudaPointerGetAttributes(&a, &local));
  CHECK_EQ(a.type, cudaMemoryTypeUnregistered);
  CHECK(a.devicePointer == nullptr);
  CHECK_EQ(a.hostPointer, static_cast<void *>(&local));
  CHECK_ERROR(cudaPointerGetAttributes(nullptr, p), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(p));
  return check_report();
}

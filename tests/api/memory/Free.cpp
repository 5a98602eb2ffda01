// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaFree: null is fine; a pointer inside an allocation, a host pointer and a second time are not.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-01
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  char *p = nullptr;
  int host = 0;
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&p), 1024));
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_ERROR(cudaFree(p + 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFree(&host), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(p));
  CHECK_ERROR(cudaFree(p), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset(p, 0, 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidValue);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMalloc: memory that can be written and read; zero bytes; too much; null.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-01
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  void *p = nullptr;
  REQUIRE_CUDA(cudaMalloc(&p, 1000));
  CHECK(p != nullptr);
  CHECK_EQ(reinterpret_cast<size_t>(p) % 256, size_t{0});
  CHECK_CUDA(cudaMemset(p, 3, 1000));
  unsigned char last = 0;
  CHECK_CUDA(cudaMemcpy(&last, static_cast<char *>(p) + 999, 1, cudaMemcpyDeviceToHost));
  CHECK_EQ(last, 3);
  CHECK_CUDA(cudaFree(p));

  p = &p;
  CHECK_CUDA(cudaMalloc(&p, 0));
  CHECK(p == nullptr);
  CHECK_ERROR(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc(&p, size_t{1} << 60), cudaErrorMemoryAllocation);
  CHECK_ERROR(cudaGetLastError(), cudaErrorMemoryAllocation);
  CHECK_CUDA(cudaMalloc(&p, 16));  // the failure changed nothing
  CHECK_CUDA(cudaFree(p));
  return check_report();
}

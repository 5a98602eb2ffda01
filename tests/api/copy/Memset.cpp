// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemset, cudaMemset2D: filling with a byte.
// gpu: no (needs memory of the host that the device can reach without being told)
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  unsigned char *d = nullptr;
  unsigned char back[64] = {};
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&d), 64));
  CHECK_CUDA(cudaMemset(d, 0x1ff, 64));  // the low byte counts
  CHECK_CUDA(cudaMemset2D(d, 16, 1, 3, 4));
  CHECK_CUDA(cudaMemcpy(back, d, 64, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(back[i], i % 16 < 3 ? 1 : 255);
  }
  CHECK_CUDA(cudaMemset(d, 0, 0));
  CHECK_ERROR(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemset(back, 7, 4));  // all memory is unified memory here
  CHECK_EQ(back[3], 7);
  CHECK_ERROR(cudaMemset(d, 0, size_t{1} << 40), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset2D(d, 2, 0, 3, 4), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(d));
  CHECK_ERROR(cudaMemset(d, 0, 4), cudaErrorInvalidValue);
  return check_report();
}

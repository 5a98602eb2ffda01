// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy: every direction, and what is not a copy.
// gpu: no (needs memory of the host that the device can reach without being told)
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-01 C-4.1.1.2.5-01
#include "check.h"

#include <cuda_runtime_api.h>

#include <string.h>

int main() {
  char *d = nullptr, *e = nullptr;
  char host[64] = "to the device and back";
  char back[64] = {};
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&d), 64));
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&e), 64));
  CHECK_CUDA(cudaMemcpy(d, host, 64, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(e, d, 64, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpy(back, e, 64, cudaMemcpyDeviceToHost));
  CHECK(strcmp(host, back) == 0);
  char other[64] = {};
  CHECK_CUDA(cudaMemcpy(other, host, 64, cudaMemcpyHostToHost));
  CHECK(strcmp(host, other) == 0);
  memset(back, 0, sizeof back);
  CHECK_CUDA(cudaMemcpy(back, d, 64, cudaMemcpyDefault));
  CHECK(strcmp(host, back) == 0);

  CHECK_CUDA(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaMemcpy(d, host, 64, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
  // All memory is unified memory here (pageableMemoryAccess), for which the direction is a hint.
  CHECK_CUDA(cudaMemset(d, 0, 64));
  CHECK_CUDA(cudaMemcpy(d, host, 64, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(back, d, 64, cudaMemcpyHostToDevice));
  CHECK(strcmp(host, back) == 0);
  CHECK_CUDA(cudaMemcpy(d, host, 64, cudaMemcpyDeviceToDevice));
  CHECK_ERROR(cudaMemcpy(nullptr, host, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(d, nullptr, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(d, host, size_t{1} << 30, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(back, d + 32, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(d));
  CHECK_CUDA(cudaFree(e));
  return check_report();
}

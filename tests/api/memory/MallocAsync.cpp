// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMallocAsync, cudaFreeAsync: allocation in the order of a stream.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  cudaStream_t stream = nullptr;
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  char *p = nullptr;
  REQUIRE_CUDA(cudaMallocAsync(reinterpret_cast<void **>(&p), 256, stream));
  CHECK_CUDA(cudaMemsetAsync(p, 9, 256, stream));
  char last = 0;
  CHECK_CUDA(cudaMemcpyAsync(&last, p + 255, 1, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaFreeAsync(p, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(last, 9);
  CHECK_ERROR(cudaMallocAsync(nullptr, 4, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFreeAsync(&last, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaStreamDestroy(stream));
  return check_report();
}

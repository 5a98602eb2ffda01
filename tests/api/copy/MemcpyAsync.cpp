// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpyAsync: copies in the order of a stream.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  cudaStream_t stream = nullptr;
  int *d = nullptr;
  int host[4] = {1, 2, 3, 4};
  int back[4] = {};
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&d), sizeof host));
  CHECK_CUDA(cudaMemcpyAsync(d, host, sizeof host, cudaMemcpyHostToDevice, stream));
  CHECK_CUDA(cudaMemcpyAsync(back, d, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(back[0], 1);
  CHECK_EQ(back[3], 4);
  CHECK_ERROR(cudaMemcpyAsync(d, host, 4, static_cast<cudaMemcpyKind>(-1), stream), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpyAsync(nullptr, host, 4, cudaMemcpyHostToDevice, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemcpyAsync(d, host, 4, cudaMemcpyDeviceToHost, stream));  // the direction is a hint
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_ERROR(cudaMemcpyAsync(d, host, 4, cudaMemcpyHostToDevice, stream), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaFree(d));
  return check_report();
}

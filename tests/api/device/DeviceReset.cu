// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaDeviceReset: everything of the device is gone, and the next call starts anew.
// gpu: no (the vendor's driver answers otherwise for streams of a destroyed context)
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.1-02
#include "check.h"

__device__ int variable = 5;

int main() {
  void *p = nullptr;
  cudaStream_t stream = nullptr;
  REQUIRE_CUDA(cudaMalloc(&p, 64));
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  int value = 77;
  CHECK_CUDA(cudaMemcpyToSymbol(variable, &value, sizeof value));
  CHECK_CUDA(cudaDeviceReset());
  CHECK_ERROR(cudaFree(p), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, variable, sizeof value));
  CHECK_EQ(value, 5);
  CHECK_CUDA(cudaMalloc(&p, 64));
  CHECK_CUDA(cudaFree(p));
  CHECK_CUDA(cudaDeviceReset());
  CHECK_CUDA(cudaDeviceReset());
  return check_report();
}

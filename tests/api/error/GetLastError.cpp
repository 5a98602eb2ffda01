// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaGetLastError, cudaPeekAtLastError: one error for each thread; not-ready is none.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

#include <thread>

int main() {
  CHECK_CUDA(cudaGetLastError());
  CHECK_ERROR(cudaSetDevice(99), cudaErrorInvalidDevice);
  void *p = nullptr;
  CHECK_CUDA(cudaMalloc(&p, 4));  // a success does not clear it
  CHECK_ERROR(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  cudaError_t other = cudaErrorUnknown;
  std::thread([&] { other = cudaGetLastError(); }).join();
  CHECK_ERROR(other, cudaSuccess);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaFree(p));
  return check_report();
}

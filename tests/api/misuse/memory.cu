// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory calls used wrongly: null pointers, double free, foreign pointers, copies out of range, wrong directions. Each
// gives its code, changes nothing, and the context stays usable.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.7-01
#include <cstdlib>

#include "check.h"

__global__ void increment(int *value) { *value += 1; }

int main() {
  int *a = nullptr, *b = nullptr, host[64] = {};
  CHECK_ERROR(cudaMalloc((int **)nullptr, 16), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc(&a, ~(size_t)0 / 2), cudaErrorMemoryAllocation);
  CHECK_CUDA(cudaMalloc(&a, sizeof host));
  CHECK_CUDA(cudaMalloc(&b, sizeof host));
  CHECK_CUDA(cudaMemset(a, 0, sizeof host));

  CHECK_ERROR(cudaMemcpy(a, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(a, host, 16, (cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
  CHECK_CUDA(cudaMemcpy(a, host, 0, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaMemcpy(a, host, sizeof host + 4096, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(host, (char *)a + 200, 4096, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset(a, 0, 1 << 20), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset(nullptr, 0, 16), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2D(a, 8, host, 16, 16, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);

  CHECK_CUDA(cudaFree(nullptr));
  CHECK_CUDA(cudaFree(b));
  CHECK_ERROR(cudaFree(b), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFree(host), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFree((char *)a + 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  void *ordinary = std::malloc(100);
  CHECK_ERROR(cudaFreeHost(ordinary), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFreeHost(a), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostUnregister(ordinary), cudaErrorHostMemoryNotRegistered);
  void *device = nullptr;
  CHECK_ERROR(cudaHostGetDevicePointer(&device, ordinary, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostRegister(nullptr, 100, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostRegister(ordinary, 0, 0), cudaErrorInvalidValue);
  std::free(ordinary);
  cudaGetLastError();

  increment<<<1, 1>>>(a);
  CHECK_CUDA(cudaMemcpy(host, a, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK_EQ(host[0], 1);
  CHECK_CUDA(cudaFree(a));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program with its own copies: page-locked host memory, device memory, memset, copies by kind.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.3-01 C-2.1.5-01 C-2.1.3-02
#include <cuda_runtime_api.h>
#include <memory.h>

#include "check.h"

__global__ void add(const int *a, const int *b, int *c, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    c[i] += a[i] + b[i];
  }
}

int main() {
  const int n = 5000;
  const size_t bytes = n * sizeof(int);
  int *host_a = nullptr, *host_b = nullptr, *host_c = nullptr;
  CHECK_CUDA(cudaMallocHost(&host_a, bytes));
  CHECK_CUDA(cudaMallocHost(&host_b, bytes));
  CHECK_CUDA(cudaMallocHost(&host_c, bytes));
  for (int i = 0; i < n; ++i) {
    host_a[i] = i;
    host_b[i] = -3 * i;
  }
  int *a = nullptr, *b = nullptr, *c = nullptr;
  CHECK_CUDA(cudaMalloc(&a, bytes));
  CHECK_CUDA(cudaMalloc(&b, bytes));
  CHECK_CUDA(cudaMalloc(&c, bytes));
  cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy(a, host_a, bytes, kind));
  CHECK_CUDA(cudaMemcpy(b, host_b, bytes, cudaMemcpyDefault));
  CHECK_CUDA(cudaMemset(c, 0, bytes));
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemcpy(host_c, c, bytes, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(host_c[i], -2 * i);
  }
  CHECK_CUDA(cudaMemset(c, 0x11, bytes));
  CHECK_CUDA(cudaMemcpy(host_c, c, bytes, cudaMemcpyDeviceToHost));
  CHECK_EQ(host_c[n - 1], 0x11111111);
  CHECK_CUDA(cudaFree(a));
  CHECK_CUDA(cudaFree(b));
  CHECK_CUDA(cudaFree(c));
  CHECK_CUDA(cudaFreeHost(host_a));
  CHECK_CUDA(cudaFreeHost(host_b));
  CHECK_CUDA(cudaFreeHost(host_c));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches and advice on managed memory succeed and never change contents.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.6.2.4-01
#include "check.h"

__global__ void increment(int *values) { values[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(int);
  int *values = nullptr;
  CHECK_CUDA(cudaMallocManaged(&values, bytes));
  for (int i = 0; i < n; ++i) {
    values[i] = i;
  }
  cudaMemLocation device{}, host{};
  device.type = cudaMemLocationTypeDevice;
  device.id = 0;
  host.type = cudaMemLocationTypeHost;
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaMemAdvise(values, bytes, cudaMemAdviseSetPreferredLocation, device));
  CHECK_CUDA(cudaMemAdvise(values, bytes, cudaMemAdviseSetAccessedBy, host));
  CHECK_CUDA(cudaMemPrefetchAsync(values, bytes, device, 0, stream));
  increment<<<n / 256, 256, 0, stream>>>(values);
  CHECK_CUDA(cudaMemPrefetchAsync(values, bytes, host, 0, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(values[i], i + 1);
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(values));
  return check_report();
}

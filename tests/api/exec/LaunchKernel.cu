// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchKernel: arguments, and launches that no device can do.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__global__ void store(int *out, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = value + i;
  }
}

int main() {
  int *d = nullptr;
  int n = 100, value = 7;
  REQUIRE_CUDA(cudaMalloc(&d, n * sizeof(int)));
  void *args[] = {&d, &n, &value};
  CHECK_CUDA(cudaLaunchKernel(reinterpret_cast<const void *>(store), dim3(2), dim3(64), args, 0, nullptr));
  int back[100] = {};
  CHECK_CUDA(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[0], 7);
  CHECK_EQ(back[99], 7 + 99);

  int host = 0;
  CHECK_ERROR(cudaLaunchKernel(&host, dim3(1), dim3(1), args, 0, nullptr), cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaLaunchKernel(static_cast<const void *>(nullptr), dim3(1), dim3(1), args, 0, nullptr),
              cudaErrorInvalidDeviceFunction);
  auto shape = [&](dim3 grid, dim3 block, size_t shared) {
    store<<<grid, block, shared>>>(d, n, 1000);
    return cudaGetLastError();
  };
  CHECK_ERROR(shape(dim3(1), dim3(1025), 0), cudaErrorInvalidValue);
  CHECK_ERROR(shape(dim3(1), dim3(32, 33), 0), cudaErrorInvalidValue);
  CHECK_ERROR(shape(dim3(1), dim3(1, 1, 65), 0), cudaErrorInvalidValue);
  CHECK_ERROR(shape(dim3(0), dim3(1), 0), cudaErrorInvalidValue);
  CHECK_ERROR(shape(dim3(1), dim3(0), 0), cudaErrorInvalidValue);
  CHECK_ERROR(shape(dim3(1, 65536), dim3(1), 0), cudaErrorInvalidValue);
  CHECK(shape(dim3(1), dim3(1), 64 * 1024) != cudaSuccess);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[0], 7);  // nothing ran

  cudaStream_t stream = nullptr;
  REQUIRE_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaStreamDestroy(stream));
  store<<<1, 1, 0, stream>>>(d, n, 0);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaFree(d));
  return check_report();
}

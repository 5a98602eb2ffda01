// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels work on mapped host memory: allocated so, and registered from malloc.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.6.3-01 C-2.6.3-02 C-2.6.3-03
#include <cstdlib>

#include "check.h"

__global__ void copy(float *to, const float *from) { to[threadIdx.x] = 2.0f * from[threadIdx.x]; }

static void use(float *from, float *to, bool ask) {
  const int n = 512;
  for (int i = 0; i < n; ++i) {
    from[i] = i;
    to[i] = -1;
  }
  float *device_from = from, *device_to = to;
  if (ask) {
    CHECK_CUDA(cudaHostGetDevicePointer((void **)&device_from, (void *)from, 0));
    CHECK_CUDA(cudaHostGetDevicePointer((void **)&device_to, (void *)to, 0));
  }
  copy<<<1, n>>>(device_to, device_from);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(to[i], 2.0f * i);
  }
}

int main() {
  CHECK_CUDA(cudaSetDeviceFlags(cudaDeviceMapHost));
  const size_t bytes = 512 * sizeof(float);
  float *a = nullptr, *b = nullptr;
  CHECK_CUDA(cudaMallocHost(&a, bytes));
  CHECK_CUDA(cudaHostAlloc(&b, bytes, cudaHostAllocMapped));
  use(a, b, false);
  use(a, b, true);
  CHECK_CUDA(cudaFreeHost(a));
  CHECK_CUDA(cudaFreeHost(b));
  a = static_cast<float *>(std::malloc(bytes));
  b = static_cast<float *>(std::malloc(bytes));
  CHECK_CUDA(cudaHostRegister(a, bytes, 0));
  CHECK_CUDA(cudaHostRegister(b, bytes, 0));
  use(a, b, true);
  CHECK_CUDA(cudaHostUnregister(a));
  CHECK_CUDA(cudaHostUnregister(b));
  std::free(a);
  std::free(b);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both spellings in one translation unit: distinct types, one device; kernels are launched into streams of either.
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc --default-stream per-thread %s -o %t && %run %t
// covers: C-2.1.3-02
#include <cuda_runtime.h>
#include <musa_runtime.h>

#include "check.h"

static_assert(!std::is_same_v<cudaStream_t, musaStream_t>);
static_assert(!std::is_same_v<cudaMemcpyKind, musaMemcpyKind>);
static_assert(std::is_same_v<decltype(cudaDeviceProp::name), decltype(musaDeviceProp::name)>);

__device__ int table[4];

__global__ void add(int *p, float x) { p[threadIdx.x] += static_cast<int>(x) + table[threadIdx.x]; }

int main() {
  const int values[4] = {1, 2, 3, 4};
  CHECK_EQ(musaMemcpyToSymbol(table, values, sizeof values), musaSuccess);
  int *p = nullptr;
  CHECK_EQ(cudaMallocManaged(&p, 4 * sizeof(int)), cudaSuccess);
  CHECK_EQ(musaMemset(p, 0, 4 * sizeof(int)), musaSuccess);

  cudaStream_t cuda;
  musaStream_t musa;
  CHECK_EQ(cudaStreamCreate(&cuda), cudaSuccess);
  CHECK_EQ(musaStreamCreate(&musa), musaSuccess);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  add<<<1, 4, 0, cuda>>>(p, 10.f);
  CHECK_EQ(musaDeviceSynchronize(), musaSuccess);
  add<<<1, 4, 0, musa>>>(p, 100.f);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  musaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 4;
  CHECK_EQ(musaLaunchKernelEx(&config, add, p, 1000), musaSuccess);  // int becomes the kernel's float
  void *arguments[] = {&p, nullptr};
  float x = 10000;
  arguments[1] = &x;
  CHECK_EQ(musaDeviceSynchronize(), musaSuccess);
  CHECK_EQ(cudaLaunchKernel(add, dim3(1), dim3(4), arguments, 0, cuda), cudaSuccess);
  CHECK_EQ(musaDeviceSynchronize(), musaSuccess);
  CHECK_EQ(p[0], 11114);
  CHECK_EQ(p[3], 11126);

  add<<<1, 4096>>>(p, 0.f);
  CHECK_EQ(musaPeekAtLastError(), musaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(musaGetLastError(), musaSuccess);

  cudaMemcpyKind_t kind = cudaMemcpyDeviceToHost;
  int copy[4] = {};
  CHECK_EQ(cudaMemcpy(copy, p, sizeof copy, kind), cudaSuccess);
  CHECK_EQ(copy[1], 11118);
  CHECK_EQ(musaStreamDestroy(musa), musaSuccess);
  CHECK_EQ(cudaStreamDestroy(cuda), cudaSuccess);
  CHECK_EQ(musaFree(p), musaSuccess);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory: static arrays, one dynamic array split by hand, its size from the launch, one instance a block.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.3.3.2-01 C-2.3.3.2-02 B-3-03
#include <vector>

#include "check.h"

__global__ void reverse_static(int *values) {
  __shared__ int room[128];
  int i = threadIdx.x, base = blockIdx.x * 128;
  room[i] = values[base + i];
  __syncthreads();
  values[base + i] = room[127 - i];
}

__global__ void split_dynamic(double *doubles, float *floats, char *bytes, int n) {
  extern __shared__ double room[];
  float *float_room = (float *)&room[n];
  char *byte_room = (char *)&float_room[n];
  int i = threadIdx.x;
  room[i] = i * 1.5;
  float_room[i] = i * 2.5f;
  byte_room[i] = i;
  __syncthreads();
  doubles[i] = room[n - 1 - i];
  floats[i] = float_room[n - 1 - i];
  bytes[i] = byte_room[n - 1 - i];
}

__global__ void private_to_block(int *wrong) {
  __shared__ int mine;
  if (threadIdx.x == 0) {
    mine = blockIdx.x;
  }
  for (int round = 0; round < 50; ++round) {
    __syncthreads();
    if (mine != blockIdx.x + round) {
      atomicAdd(wrong, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      mine += 1;
    }
  }
}

int main() {
  cudaDeviceProp properties{};
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.sharedMemPerBlock >= 48 * 1024);
  CHECK(properties.sharedMemPerMultiprocessor >= properties.sharedMemPerBlock);
  CHECK_CUDA(cudaFuncSetCacheConfig(reverse_static, cudaFuncCachePreferShared));

  int *values = nullptr;
  CHECK_CUDA(cudaMallocManaged(&values, 512 * sizeof(int)));
  for (int i = 0; i < 512; ++i) {
    values[i] = i;
  }
  reverse_static<<<4, 128>>>(values);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 512; ++i) {
    CHECK_EQ(values[i], i / 128 * 128 + 127 - i % 128);
  }

  const int n = 100;
  double *doubles = nullptr;
  float *floats = nullptr;
  char *bytes = nullptr;
  CHECK_CUDA(cudaMallocManaged(&doubles, n * sizeof(double)));
  CHECK_CUDA(cudaMallocManaged(&floats, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&bytes, n));
  split_dynamic<<<1, n, n * (sizeof(double) + sizeof(float) + 1)>>>(doubles, floats, bytes, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(doubles[i], 1.5 * (n - 1 - i));
    CHECK_EQ(floats[i], 2.5f * (n - 1 - i));
    CHECK_EQ(bytes[i], (char)(n - 1 - i));
  }
  values[0] = 0;
  private_to_block<<<64, 96>>>(values);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(values[0], 0);
  return check_report();
}

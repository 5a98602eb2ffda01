// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device properties behind occupancy, and the occupancy functions, agree with each other.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.3.7-01 C-2.3.3.3-01 C-2.3.3.6-01 C-1.3.1-01 C-5.1-01
#include "check.h"

__global__ void small(int *out) { out[threadIdx.x] = threadIdx.x; }
__global__ void greedy(int *out) {
  __shared__ int room[10 * 1024];
  room[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = room[threadIdx.x ^ 1];
}

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  cudaDeviceProp p{};
  CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
  CHECK_EQ(p.warpSize, 32);
  CHECK_EQ(p.maxThreadsPerBlock, 1024);
  CHECK(p.maxThreadsPerMultiProcessor >= 1024 && p.maxThreadsPerMultiProcessor % 32 == 0);
  CHECK(p.maxBlocksPerMultiProcessor >= 1);
  CHECK(p.regsPerBlock >= 32768 && p.regsPerMultiprocessor >= p.regsPerBlock);
  CHECK(p.multiProcessorCount >= 1);
  CHECK(p.l2CacheSize >= 0);
  CHECK(p.totalGlobalMem > (size_t)64 << 20);
  CHECK(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxGridSize[2] == 65535);
  CHECK(p.maxThreadsDim[0] == 1024 && p.maxThreadsDim[1] == 1024 && p.maxThreadsDim[2] == 64);
  CHECK_EQ(attribute(cudaDevAttrComputeCapabilityMajor), p.major);
  CHECK_EQ(attribute(cudaDevAttrComputeCapabilityMinor), p.minor);
  CHECK_EQ(attribute(cudaDevAttrMultiProcessorCount), p.multiProcessorCount);
  CHECK_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), p.maxThreadsPerBlock);
  CHECK_EQ((size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlock), p.sharedMemPerBlock);
  CHECK_EQ((size_t)attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor), p.sharedMemPerMultiprocessor);
  CHECK_EQ(attribute(cudaDevAttrWarpSize), 32);

  int blocks = 0, fewer = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 128, 0));
  CHECK(blocks >= 1 && blocks <= p.maxBlocksPerMultiProcessor && blocks * 128 <= p.maxThreadsPerMultiProcessor);
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, greedy, 128, 0));
  CHECK(fewer >= 1 && fewer * 40u * 1024 <= p.sharedMemPerMultiprocessor);
  int grid = 0, block = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, small));
  CHECK(grid >= 1 && block >= 32 && block <= 1024);
  cudaFuncAttributes attributes{};
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, greedy));
  CHECK_EQ(attributes.sharedSizeBytes, (size_t)40 * 1024);
  CHECK(attributes.maxThreadsPerBlock >= 1 && attributes.maxThreadsPerBlock <= 1024);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums an array in three steps: within each warp by shuffles, within each block through shared memory, over blocks by an atomic.
#include <cstdio>

__inline__ __device__ unsigned long long sum_of_warp(unsigned long long value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

__global__ void sum(const int *values, int n, unsigned long long *total) {
  __shared__ unsigned long long of_warps[32];
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += values[i];
  }
  int warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
  mine = sum_of_warp(mine);
  if (lane == 0) {
    of_warps[warp] = mine;
  }
  __syncthreads();
  if (warp == 0) {
    mine = sum_of_warp(lane < blockDim.x / warpSize ? of_warps[lane] : 0);
    if (lane == 0) {
      atomicAdd(total, mine);
    }
  }
}

int main() {
  const int n = 3000001;
  int *values = nullptr;
  unsigned long long *total = nullptr, expected = 0;
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMallocManaged(&total, sizeof *total);
  for (int i = 0; i < n; ++i) {
    values[i] = i % 1000;
    expected += values[i];
  }
  *total = 0;
  sum<<<64, 256>>>(values, n, total);
  cudaError_t error = cudaDeviceSynchronize();
  bool right = error == cudaSuccess && *total == expected;
  std::printf("reduction: %llu, %s\n", *total, right ? "right" : error != cudaSuccess ? cudaGetErrorString(error) : "wrong");
  cudaFree(values);
  cudaFree(total);
  return !right;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences: the order of two writes as another thread sees it, and a sum that the last block finishes.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.4.4.3-01
#include "check.h"

#include <cuda_runtime.h>

__device__ volatile int X = 1, Y = 2;
__device__ int seen[2];

template <int kScope> __device__ void fence() {
  if (kScope == 0) __threadfence_block();
  if (kScope == 1) __threadfence();
  if (kScope == 2) __threadfence_system();
}

// The writer stores X before Y, the reader loads Y before X: the new Y with the old X is not allowed.
template <int kScope> __global__ void order(int *forbidden, int *both_new, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) {
      X = 1;
      Y = 2;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      X = 10;
      fence<kScope>();
      Y = 20;
    } else if (threadIdx.x == 32) {
      int b = Y;
      fence<kScope>();
      int a = X;
      *forbidden += a == 1 && b == 20;
      *both_new += a == 10 && b == 20;
    }
    __syncthreads();
  }
}

// The same between blocks; the reader waits for the writer, so that it cannot miss it.
template <int kScope> __global__ void pass_on(volatile int *data, volatile int *flag, int *wrong, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    if (blockIdx.x == 0) {
      data[threadIdx.x] = round * 100 + threadIdx.x;
      fence<kScope>();
      __syncthreads();
      if (threadIdx.x == 0) {
        *flag = 2 * round - 1;
        while (*flag != 2 * round) {
        }
      }
      __syncthreads();
    } else {
      if (threadIdx.x == 0) {
        while (*flag != 2 * round - 1) {
        }
      }
      __syncthreads();
      fence<kScope>();
      int got = data[(threadIdx.x + 1) % blockDim.x];
      if (got != round * 100 + (threadIdx.x + 1) % blockDim.x) {
        atomicAdd(wrong, 1);
      }
      __syncthreads();
      if (threadIdx.x == 0) {
        *flag = 2 * round;
      }
    }
  }
}

__device__ unsigned finished;
__global__ void sum(const float *in, int n, volatile float *partial, float *total) {
  __shared__ bool is_last;
  __shared__ float room[64];
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    mine += in[i];
  }
  room[threadIdx.x] = mine;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      room[threadIdx.x] += room[threadIdx.x + step];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = room[0];
    __threadfence();
    is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < gridDim.x; ++i) {
      all += partial[i];
    }
    *total = all;
    finished = 0;
  }
}

template <int kScope> void check_scope() {
  int *counts;
  CHECK_CUDA(cudaMallocManaged(&counts, 4 * sizeof(int)));
  counts[0] = counts[1] = 0;
  order<kScope><<<1, 64>>>(counts, counts + 1, 2000);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(counts[0], 0);
  CHECK_CUDA(cudaFree(counts));
}
template <int kScope> void check_blocks() {
  int *data;
  CHECK_CUDA(cudaMallocManaged(&data, 66 * sizeof(int)));
  for (int i = 0; i < 66; ++i) {
    data[i] = 0;
  }
  pass_on<kScope><<<2, 64>>>(data, data + 64, data + 65, 50);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(data[65], 0);
  CHECK_CUDA(cudaFree(data));
}

int main() {
  check_scope<0>();
  check_scope<1>();
  check_scope<2>();
  check_blocks<1>();
  check_blocks<2>();

  const int n = 100000, blocks = 37;
  float *in, *partial, *total;
  CHECK_CUDA(cudaMallocManaged(&in, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&partial, blocks * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&total, sizeof(float)));
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i % 16;
    expected += i % 16;
  }
  for (int round = 0; round < 3; ++round) {
    *total = 0;
    sum<<<blocks, 64>>>(in, n, partial, total);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(*total, (float)expected);
  }
  return check_report();
}

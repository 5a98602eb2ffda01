// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are not inlined, in which threads meet: at barriers of the block, in warp functions, in a loop that waits.
// RUN: %mcc %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
// CHECK-NOT: engine=thread
// CHECK: passed
// covers: C-5.8-01
#include "check.h"

__device__ __noinline__ int sum_of_block(int value, int *shared) {
  shared[threadIdx.x] = value;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      shared[threadIdx.x] += shared[threadIdx.x + half];
    }
  }
  __syncthreads();
  return shared[0];
}

__device__ __noinline__ int sum_of_warp(int value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  return value;
}

__device__ __noinline__ int twice(int value) { return sum_of_warp(value) * 2; }

__device__ int lock, taken;

__device__ __noinline__ void count() {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  *(volatile int *)&taken = *(volatile int *)&taken + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

__device__ void add_one(int &x) { x += 1; }
__device__ void negate(int &x) { x = -x; }

// Meets, and calls by a pointer, which the place of the call tells.
__device__ int changed(int value, void (*change)(int &)) {
  change(value);
  __syncthreads();
  return value;
}

__global__ void run(int *out) {
  __shared__ int shared[128];
  const int all = sum_of_block(threadIdx.x, shared);
  const int mine = threadIdx.x < 64 ? twice(threadIdx.x) : 1;
  count();
  out[threadIdx.x] = all + mine + sum_of_warp(1) + changed(threadIdx.x, add_one) + changed(threadIdx.x, negate);
}

// The lanes of a warp come together again in a warp function, which the lanes without the lock wait for.
__global__ void lock_then_sum(int *out) {
  int before = 0;
  if (threadIdx.x % 4 == 1) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    before = *(volatile int *)&taken;
    *(volatile int *)&taken = before + 1;
    __threadfence();
    atomicExch(&lock, 0);
  }
  __syncwarp();
  out[threadIdx.x] = sum_of_warp(before);
}

int main() {
  int *out, host[128], n = 0;
  CHECK_CUDA(cudaMalloc(&out, sizeof host));
  run<<<1, 128>>>(out);
  CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; i++) {
    const int mine = i < 32 ? 496 * 2 : i < 64 ? 1520 * 2 : 1;
    CHECK_EQ(host[i], 127 * 64 + mine + 32 + 1);
  }
  CHECK_CUDA(cudaMemcpyFromSymbol(&n, taken, sizeof n));
  CHECK_EQ(n, 128);

  const int zero = 0;
  CHECK_CUDA(cudaMemcpyToSymbol(taken, &zero, sizeof zero));
  lock_then_sum<<<1, 128>>>(out);
  CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  int sum = 0;
  for (int i = 0; i < 128; i += 32) {
    sum += host[i];
    for (int lane = 1; lane < 32; lane++) {
      CHECK_EQ(host[i + lane], host[i]);
    }
  }
  CHECK_EQ(sum, 31 * 32 / 2);  // 0, 1, … 31, each once
  return check_report();
}

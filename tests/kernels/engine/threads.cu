// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a CUDA thread may do by itself: recursion with a larger stack, calls through pointers, leaving early, clocks,
// block barriers with reductions, all block sizes, and many blocks.
// gpu: no (recursion this deep needs a larger stack than a GPU gives by default)
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.3.10.5-01 C-5.4.4.1-01 C-5.3.7.1-01 C-2.3.1-01 C-5.3.10.6-03
#include "check.h"

__managed__ int wrong;
__managed__ int count;

__device__ __noinline__ int depth(int n) {
  volatile int frame[20];
  frame[n % 20] = n;
  return n == 0 ? 0 : depth(n - 1) + (frame[n % 20] == n);
}

__global__ void recurse(int n) {
  if (depth(n) != n) {
    atomicAdd(&wrong, 1);
  }
}

typedef int (*Function)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int negative(int x) { return -x; }
__device__ Function functions[2] = {twice, negative};

__global__ void call_pointers() {
  const int x = threadIdx.x;
  if (functions[x % 2](x) != (x % 2 == 0 ? 2 * x : -x)) {
    atomicAdd(&wrong, 1);
  }
}

__global__ void leave_early() {
  if (threadIdx.x % 5 == 0) {
    return;
  }
  __syncthreads();
  if (threadIdx.x % 5 == 1) {
    asm volatile("exit;");
  }
  if (__syncthreads_count(1) != blockDim.x / 5 * 3) {
    atomicAdd(&wrong, 1);
  }
  atomicAdd(&count, 1);
}

__global__ void reductions() {
  const int x = threadIdx.x;
  bool right = __syncthreads_count(x % 3 == 0) == (blockDim.x + 2) / 3;
  right &= __syncthreads_and(x < blockDim.x) != 0;
  right &= __syncthreads_and(x != 17) == 0;
  right &= __syncthreads_or(x == 17) != 0;
  right &= __syncthreads_or(x > 5000) == 0;
  if (!right) {
    atomicAdd(&wrong, 1);
  }
}

__global__ void clocks() {
  const long long before = clock64();
  __nanosleep(20000);
  if (clock64() - before < 1000) {
    atomicAdd(&wrong, 1);
  }
}

__global__ void linear_index() {
  const int x = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  __shared__ int order[1024];
  order[x] = x;
  __syncthreads();
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  if (lane != x % 32 || order[blockDim.x * blockDim.y * blockDim.z - 1 - x] == x + 5000) {
    atomicAdd(&wrong, 1);
  }
  atomicAdd(&count, 1);
}

static void expect(int threads) {
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(wrong, 0);
  CHECK_EQ(count, threads);
  wrong = count = 0;
}

int main() {
  recurse<<<2, 64>>>(100);
  expect(0);
  size_t old = 0;
  CHECK_CUDA(cudaDeviceGetLimit(&old, cudaLimitStackSize));
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10));
  recurse<<<2, 64>>>(2000);
  expect(0);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, old));
  call_pointers<<<4, 128>>>();
  expect(0);
  leave_early<<<6, 200>>>();
  expect(6 * 120);
  reductions<<<3, 1000>>>();
  expect(0);
  clocks<<<2, 32>>>();
  expect(0);
  for (const dim3 &block : {dim3(1), dim3(31), dim3(32), dim3(33), dim3(7, 5, 3), dim3(1, 1, 64), dim3(1024)}) {
    linear_index<<<dim3(3, 2, 2), block>>>();
    expect(12 * block.x * block.y * block.z);
  }
  linear_index<<<65535, 1>>>();
  expect(65535);
  return check_report();
}

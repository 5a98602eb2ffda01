// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait for each other make progress: locks between lanes, a producer in the same warp, flags between blocks.
// covers: C-3.2.2.1.1-01 C-5.4.8.5-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__device__ int lock, guarded;

__global__ void spin_lock() {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      guarded = guarded + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}

__device__ bool try_lock(int *p) { return atomicCAS(p, 0, 1) == 0; }

__global__ void plain_spin_lock() {
  while (!try_lock(&lock)) {
  }
  guarded = guarded + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void produce_and_consume(volatile int *flag, int *data) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    data[1] = data[0];
  } else if (threadIdx.x == 1) {
    data[0] = 42;
    __threadfence();
    *flag = 1;
  }
}

__global__ void first_waits_for_last(volatile int *flag) {
  if (blockIdx.x == 0) {
    while (*flag != 7) {
    }
  } else if (blockIdx.x == gridDim.x - 1) {
    *flag = 7;
  }
}

__global__ void bounded_spin(volatile int *flag, int *out) {
  if (threadIdx.x == 0) {
    int rounds = 0;
    for (; rounds < 1000000 && *flag == 0; ++rounds) {
    }
    *out = rounds < 1000000;
  } else {
    *flag = 1;
  }
}

int main() {
  int *p, value = 0;
  REQUIRE_CUDA(cudaMallocManaged(&p, 64));
  spin_lock<<<4, 64>>>();
  plain_spin_lock<<<2, 64>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, guarded, sizeof(value)));
  CHECK_EQ(value, 4 * 64 + 2 * 64);
  p[0] = p[8] = p[9] = 0;
  produce_and_consume<<<1, 2>>>(p, p + 8);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(p[9], 42);
  p[0] = 0;
  first_waits_for_last<<<64, 1>>>(p);
  CHECK_CUDA(cudaDeviceSynchronize());
  p[0] = 0;
  bounded_spin<<<1, 2>>>(p, p + 8);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(p[8], 1);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait for each other make progress: lanes of one warp, warps, blocks, and blocks of later kernels.
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -O0 %s -o %t.O0 && %run %t.O0
// covers: C-5.8-01 C-5.4.8.5-01 C-3.2.2.1.1-01
#include "check.h"

__device__ int mutex_word;
__device__ int counter;
__device__ volatile int flag;

__global__ void lock_by_each_lane() {
  bool done = false;
  while (!done) {
    if (atomicCAS(&mutex_word, 0, 1) == 0) {
      counter = counter + 1;
      __threadfence();
      atomicExch(&mutex_word, 0);
      done = true;
    }
  }
}

// The naive spelling: the lane that has the lock leaves the loop before the others.
__global__ void lock_naively() {
  while (atomicCAS(&mutex_word, 0, 1) != 0) {
  }
  counter = counter + 1;
  __threadfence();
  atomicExch(&mutex_word, 0);
}

__global__ void lock_with_backoff() {
  unsigned wait = 8;
  while (atomicCAS(&mutex_word, 0, 1) == 1) {
    __nanosleep(wait);
    wait = wait < 256 ? wait * 2 : wait;
  }
  counter = counter + 1;
  __threadfence();
  atomicExch(&mutex_word, 0);
}

// Each thread waits for the next higher one; the last starts.
__global__ void pass_down() {
  __shared__ volatile int turn;
  if (threadIdx.x == 0) {
    turn = blockDim.x - 1;
  }
  __syncthreads();
  while (turn != threadIdx.x) {
  }
  atomicAdd(&counter, 1);
  __threadfence_block();
  turn = threadIdx.x - 1;
}

__device__ int arrived;

__global__ void barrier_between_blocks() {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) {
    }
  }
  __syncthreads();
  atomicAdd(&counter, 1);
}

// As a scan with look-back does: a block waits for its predecessor's prefix.
__global__ void look_back(volatile int *prefix) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    int value = 0;
    if (blockIdx.x > 0) {
      while ((value = prefix[blockIdx.x - 1]) == 0) {
      }
    }
    before = value;
    prefix[blockIdx.x] = value + 1;
  }
  __syncthreads();
  if (before == blockIdx.x) {
    atomicAdd(&counter, 1);
  }
}

__global__ void wait_for_flag() {
  while (flag == 0) {
  }
  atomicAdd(&counter, 1);
}

__global__ void set_flag() { flag = 1; }

// All threads of the block go round together until somebody else sets the flag.
__global__ void barrier_loop() {
  while (__syncthreads_or(flag) == 0) {
  }
  atomicAdd(&counter, 1);
}

static int take_counter() {
  int value = 0;
  int zero = 0;
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, counter, sizeof(int)));
  CHECK_CUDA(cudaMemcpyToSymbol(counter, &zero, sizeof(int)));
  CHECK_CUDA(cudaMemcpyToSymbol(arrived, &zero, sizeof(int)));
  CHECK_CUDA(cudaMemcpyToSymbol(flag, &zero, sizeof(int)));
  return value;
}

int main() {
  lock_by_each_lane<<<12, 100>>>();
  CHECK_EQ(take_counter(), 1200);
  lock_naively<<<12, 100>>>();
  CHECK_EQ(take_counter(), 1200);
  lock_with_backoff<<<12, 64>>>();
  CHECK_EQ(take_counter(), 768);
  pass_down<<<3, 256>>>();
  CHECK_EQ(take_counter(), 768);
  barrier_between_blocks<<<40, 64>>>();
  CHECK_EQ(take_counter(), 2560);

  int *prefix;
  CHECK_CUDA(cudaMalloc(&prefix, 2000 * sizeof(int)));
  CHECK_CUDA(cudaMemset(prefix, 0, 2000 * sizeof(int)));
  look_back<<<2000, 32>>>(prefix);
  CHECK_EQ(take_counter(), 2000 * 32);
  CHECK_CUDA(cudaFree(prefix));

  cudaStream_t first;
  cudaStream_t second;
  CHECK_CUDA(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  wait_for_flag<<<64, 32, 0, first>>>();
  set_flag<<<1, 1, 0, second>>>();
  CHECK_EQ(take_counter(), 2048);

  // A copy, ordered after nothing, releases a kernel too; and the host comes back from waiting for the copy's stream.
  barrier_loop<<<64, 32, 0, first>>>();
  const int one = 1;
  CHECK_CUDA(cudaMemcpyToSymbolAsync(flag, &one, sizeof(int), 0, cudaMemcpyHostToDevice, second));
  CHECK_CUDA(cudaStreamSynchronize(second));
  CHECK_EQ(take_counter(), 2048);
  return check_report();
}

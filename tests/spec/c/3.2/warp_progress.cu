// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of one warp may wait for each other: a flag set by another lane, a lock taken in turn, a chain through a block.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.2.1.1-01 C-5.4.4.2-01 C-5.8-01 C-5.4.8.5-01
#include "check.h"

__global__ void lane_waits_for_lane(int *out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) {
    flag = 0;
  }
  __syncwarp();
  if (threadIdx.x == 3) {
    while (flag == 0) {
    }
    *out = 1;
  } else if (threadIdx.x == 20) {
    flag = 1;
  }
}

__global__ void lock_in_turn(int *lock, int *counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      int seen = *(volatile int *)counter;
      __threadfence();
      *(volatile int *)counter = seen + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void spin_lock(int *lock, int *counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
    __nanosleep(20);
  }
  __threadfence();
  *(volatile int *)counter = *(volatile int *)counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}

// Each thread waits for the one before it, across warps, from the last to the first.
__global__ void chain(volatile int *turn, int *order) {
  int mine = blockDim.x - 1 - threadIdx.x;
  while (*turn != mine) {
  }
  order[mine] = threadIdx.x;
  __threadfence();
  *turn = mine + 1;
}

int main() {
  int *cells = nullptr;
  CHECK_CUDA(cudaMallocManaged(&cells, 200 * sizeof(int)));
  for (int i = 0; i < 200; ++i) {
    cells[i] = 0;
  }
  lane_waits_for_lane<<<1, 32>>>(cells);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cells[0], 1);
  lock_in_turn<<<4, 64>>>(&cells[1], &cells[2]);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cells[2], 256);
  spin_lock<<<4, 64>>>(&cells[3], &cells[4]);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cells[4], 256);
  chain<<<1, 128>>>(&cells[5], &cells[10]);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) {
    CHECK_EQ(cells[10 + i], 127 - i);
  }
  CHECK_CUDA(cudaFree(cells));
  return check_report();
}

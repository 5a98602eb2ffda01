// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared variables of functions that several kernels call, beside the kernels' own ones and a dynamic array.
// covers: C-2.3.3.2-01 C-5.4.1.2-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__device__ int reverse(int lane) {
  __shared__ int lanes[32];
  lanes[lane] = lane;
  __syncwarp();
  return lanes[31 - lane];
}

__global__ void only_reverse(int *out) { out[threadIdx.x] = reverse(threadIdx.x); }

__global__ void with_more(int *out) {
  __shared__ double own[32];
  extern __shared__ int dynamic[];
  int t = threadIdx.x;
  own[t] = t;
  dynamic[t] = 2 * t;
  __syncthreads();
  out[t] = reverse(t) + (int)own[t] + dynamic[31 - t];
}

/// A struct in shared memory and a pointer to it that is kept in memory.
struct Cell {
  int value;
  Cell *next;
};
__global__ void ring(int *out) {
  __shared__ Cell cells[64];
  int t = threadIdx.x;
  cells[t].value = t;
  cells[t].next = &cells[(t + 1) % 64];
  __syncthreads();
  out[t] = cells[t].next->next->value;
}

int main() {
  int *out;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  only_reverse<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(out[i], 31 - i);
  }
  with_more<<<1, 32, 32 * sizeof(int)>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(out[i], 31 - i + i + 2 * (31 - i));
  }
  ring<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(out[i], (i + 2) % 64);
  }
  return check_report();
}

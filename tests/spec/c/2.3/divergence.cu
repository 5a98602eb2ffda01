// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divergent branches, loops of different lengths, early return, warps that are not full: each thread computes its own.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.2-01 C-3.2.2.2-01 C-1.2.2.2-01 C-1.2.2.1-03
#include "check.h"

__host__ __device__ unsigned collatz(unsigned x) {
  unsigned steps = 0;
  while (x != 1) {
    x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    ++steps;
  }
  return steps;
}

__host__ __device__ int branchy(int i) {
  switch (i % 5) {
    case 0: return i;
    case 1: return -i;
    case 2:
      for (int k = 0; k < i; ++k) {
        if (k == 7) break;
        i += k % 2 == 0 ? 1 : -3;
        if (i < -50) return 12345;
      }
      return i;
    default: break;
  }
  return i * i;
}

__global__ void run(unsigned *steps, int *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  steps[i] = collatz(i + 1);
  values[i] = branchy(i);
}

__global__ void count_warps(int *warps) {
  if (threadIdx.x % warpSize == 0) {
    atomicAdd(warps, 1);
  }
}

int main() {
  const int n = 3001;
  unsigned *steps = nullptr;
  int *values = nullptr;
  CHECK_CUDA(cudaMallocManaged(&steps, n * sizeof(unsigned)));
  CHECK_CUDA(cudaMallocManaged(&values, n * sizeof(int)));
  run<<<(n + 76) / 77, 77>>>(steps, values, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(steps[i], collatz(i + 1));
    CHECK_EQ(values[i], branchy(i));
  }
  values[0] = 0;
  count_warps<<<3, 77>>>(values);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(values[0], 9);
  return check_report();
}

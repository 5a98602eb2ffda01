// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda::ceil_div: grids of launches, mixed types, the largest values, constants.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-2.1.2.3-02
#include <cuda/cmath>

#include <climits>
#include <cstdint>

#include "check.h"

enum Kind { kSeven = 7 };
static_assert(cuda::ceil_div(10, 4) == 3 && cuda::ceil_div(8, 4) == 2 && cuda::ceil_div(0, 4) == 0);
static_assert(cuda::ceil_div(UINT_MAX, 2u) == 1u << 31 && cuda::ceil_div(INT_MAX, 2) == 1 << 30);
static_assert(cuda::ceil_div(UINT64_MAX, uint64_t(1) << 63) == 2);
static_assert(cuda::ceil_div(kSeven, 2) == 4);

__global__ void count(int n, int *counted, long long *quotients) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(counted, 1);
    quotients[i] = cuda::ceil_div(static_cast<long long>(i) << 33, 1000u);
  }
}

int main() {
  int *counted;
  long long *quotients;
  CHECK_CUDA(cudaMallocManaged(&counted, sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&quotients, 1000 * sizeof(long long)));
  for (int n : {1, 63, 64, 65, 1000}) {
    *counted = 0;
    int blocks = cuda::ceil_div(n, 64);
    CHECK_EQ(blocks, (n + 63) / 64);
    count<<<blocks, 64>>>(n, counted, quotients);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK_EQ(*counted, n);
    for (long long i = 0; i < n; ++i) CHECK_EQ(quotients[i], ((i << 33) + 999) / 1000);
  }
  return check_report();
}

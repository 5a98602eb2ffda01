// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of a warp in the grid, as programs compute it, for blocks of whole and of broken warps.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__global__ void by_unsigned(const int *starts, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = starts[i / 32] + int(i % 32);
}

__global__ void by_signed(const int *starts, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, row = i / 32, lane = i % 32;
  out[i] = starts[row] + lane;
}

__global__ void by_shift(const int *starts, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = starts[i >> 5] + (i & 31);
}

// Below zero a quotient is rounded towards zero: these are not the same in a warp.
__global__ void below_zero(const int *starts, int *out, int minus) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int shifted = i - minus;
  out[i] = starts[8 + shifted / 32] + shifted % 32;
}

int main() {
  constexpr int kThreads = 6 * 128;
  int *starts, *out;
  CHECK_CUDA(cudaMallocManaged(&starts, 64 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, kThreads * sizeof(int)));
  for (int i = 0; i < 64; i++) {
    starts[i] = 1000 * i * i;
  }
  for (int block : {32, 33, 96, 100, 128}) {
    int threads = 6 * block;
    for (auto kernel : {by_unsigned, by_signed, by_shift}) {
      kernel<<<6, block>>>(starts, out);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = 0; i < threads; i++) {
        CHECK_EQ(out[i], 1000 * (i / 32) * (i / 32) + i % 32);
      }
    }
    for (int minus : {64, 50}) {
      below_zero<<<6, block>>>(starts, out, minus);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = 0; i < threads; i++) {
        CHECK_EQ(out[i], starts[8 + (i - minus) / 32] + (i - minus) % 32);
      }
    }
  }
  return check_report();
}

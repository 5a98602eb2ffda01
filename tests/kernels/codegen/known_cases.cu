// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Series of comparisons of one value with many numbers, behind which it is known how the others go: with work that stays,
// in loops that begin with such a choice, and with cases that several ways lead to.
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -O0 %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

template <int kCase> __host__ __device__ __noinline__ void note(unsigned *seen) { *seen = *seen * 31 + kCase; }

template <int kFrom, int kTo> __host__ __device__ __forceinline__ void series(int value, unsigned *seen) {
  if constexpr (kFrom < kTo) {
    if (value == kFrom * 3) {
      note<kFrom>(seen);
    }
    series<kFrom + 1, kTo>(value, seen);
  }
}

__host__ __device__ int in_loop(int value, int turns, unsigned *seen) {
  int left = 0;
  while (turns-- > 0) {
    switch (value) {
      case 1: note<1>(seen); break;
      case 2: note<2>(seen); [[fallthrough]];
      case 3: note<3>(seen); break;
      default: note<0>(seen); value--; continue;
    }
    if (value == 2) {
      note<7>(seen);
    }
    switch (value) {
      case 1: value = 5; break;
      case 2: left++; value = 3; break;
      case 3: return left;
    }
    if (value != 5) {
      note<9>(seen);
    }
  }
  return left + value;
}

__host__ __device__ unsigned run(int number) {
  unsigned seen = 1;
  series<0, 60>(number, &seen);
  return (unsigned)in_loop(number % 7, number % 11, &seen) * 5 + seen;
}

__global__ void kernel(unsigned *out) {
  int number = blockIdx.x * blockDim.x + threadIdx.x;
  out[number] = run(number);
}

int main() {
  constexpr int kBlocks = 4, kThreads = 64, kCount = kBlocks * kThreads;
  unsigned *out;
  CHECK_CUDA(cudaMallocManaged(&out, kCount * sizeof(int)));
  kernel<<<kBlocks, kThreads>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) {
    CHECK_EQ(out[i], run(i));
  }
  CHECK_CUDA(cudaFree(out));
  return check_report();
}

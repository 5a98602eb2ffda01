// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel whose warps need much stack, beside code that hardly ever runs (an index that wraps around, a function that
// traps): the stack was made for the small frames alone, and overflowed.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

__device__ __noinline__ int ends(int x) {
  if (x > 0) {
    printf("%d\n", x);
  }
  __trap();
  return x;
}

__global__ void sums(const int *in, int *out, unsigned first, int n) {
  int local[96];
  unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  for (int k = 0; k < 96; k++) {
    local[k] = in[first + i + k];
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < n; k++) {
    sum += local[(k * 7 + i) % 96];
  }
  out[i] = sum < 0 ? ends(sum) : sum;
}

int main() {
  int *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, 4096 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, 2048 * sizeof(int)));
  for (int i = 0; i < 4096; i++) {
    in[i] = i % 101;
  }
  sums<<<2, 1024>>>(in, out, 0, 96);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 2048; i++) {
    int sum = 0;
    for (int k = 0; k < 96; k++) {
      sum += in[i + (k * 7 + i) % 96];
    }
    CHECK_EQ(out[i], sum);
  }
  return check_report();
}

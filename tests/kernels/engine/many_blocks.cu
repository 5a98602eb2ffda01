// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that one worker runs in a row each know who they are, and a function that asks from inside does, too.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__noinline__ __device__ unsigned where() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }

__global__ void mark(unsigned *out, unsigned *threads) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned all = blockDim.x * blockDim.y;
  out[block * all + thread] += 1000 * where() + 10 * threadIdx.x + threadIdx.y;
  if (thread + 1 == all) {
    threads[block]++;
  }
}

/// The same with warps that meet, and what one of them told the others.
__global__ void meet_and_mark(unsigned *out, unsigned *threads) {
  __shared__ unsigned told[1024];
  unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, all = blockDim.x * blockDim.y;
  told[thread] = 1000 * ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x);
  __syncthreads();
  unsigned block = told[all - 1 - thread] / 1000;
  out[block * all + thread] += 1000 * where() + 10 * threadIdx.x + threadIdx.y;
  __syncthreads();
  if (thread == 0) {
    threads[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)]++;
  }
}

void check_blocks(void (*kernel)(unsigned *, unsigned *), dim3 grid, dim3 block) {
  unsigned blocks = grid.x * grid.y * grid.z, all = block.x * block.y, *out, *threads;
  CHECK_CUDA(cudaMallocManaged(&out, blocks * all * sizeof(unsigned)));
  CHECK_CUDA(cudaMallocManaged(&threads, blocks * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(out, 0, blocks * all * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(threads, 0, blocks * sizeof(unsigned)));
  kernel<<<grid, block>>>(out, threads);
  CHECK_CUDA(cudaDeviceSynchronize());
  unsigned wrong = 0;
  for (unsigned i = 0; i < blocks * all; i++) {
    wrong += out[i] != 1000 * (i / all) + 10 * (i % all % block.x) + i % all / block.x || threads[i / all] != 1;
  }
  CHECK_EQ(wrong, 0u);
  CHECK_CUDA(cudaFree(out));
  CHECK_CUDA(cudaFree(threads));
}

int main() {
  for (dim3 grid : {dim3(1), dim3(500), dim3(7, 9, 11), dim3(1, 300), dim3(2, 1, 65)}) {
    for (dim3 block : {dim3(40), dim3(8, 9), dim3(64), dim3(32, 3), dim3(16, 5)}) {
      check_blocks(mark, grid, block);
      check_blocks(meet_and_mark, grid, block);
    }
  }
  return check_report();
}

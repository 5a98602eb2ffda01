// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp for each 32 threads of the grid, in turns of which some are left out, with a sum by shuffles in the others. Blocks of whole
// warps run on the warp engine; in others lanes of a warp are of two such groups, which the thread engine runs.
// RUN: %mcc %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
// covers: C-5.8-01
#include "check.h"

constexpr int kRows = 41;

__host__ __device__ int input(int row, int lane) { return row * 7 + lane * lane % 13; }

// CHECK: kernel=sums(int*, int) engine=warp
// CHECK: kernel=sums(int*, int) engine=thread {{.*}}reason=in blocks with rows of other than whole warps
__global__ void sums(int *out, int skipped) {
  if (threadIdx.x >= blockDim.x / 32 * 32) {
    return;
  }
  const int thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % 32;
  for (int row = thread >> 5; row < kRows; row += gridDim.x * blockDim.x >> 5) {
    if (row % 3 == skipped) {
      continue;
    }
    int sum = input(row, lane);
    for (int distance = 16; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xffffffffu, sum, distance);
    }
    out[row] = sum;
  }
  __syncwarp();
  if (lane == 0) {
    atomicAdd(&out[kRows], 1);
  }
}

int expected(int row, int skipped) {
  int sum = 0;
  for (int lane = 0; lane < 32; lane++) {
    sum += row % 3 == skipped ? 0 : input(row, lane);
  }
  return sum;
}

void run(int blocks, int threads, int skipped) {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, (kRows + 1) * sizeof(int)));
  CHECK_CUDA(cudaMemset(out, 0, (kRows + 1) * sizeof(int)));
  sums<<<blocks, threads>>>(out, skipped);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int row = 0; row < kRows; row++) {
    CHECK_EQ(out[row], expected(row, skipped));
  }
  CHECK_EQ(out[kRows], blocks * (threads / 32));
  CHECK_CUDA(cudaFree(out));
}

int main() {
  run(3, 96, 1);
  run(1, 128, 5);
  run(1, 48, 5);
  return check_report();
}

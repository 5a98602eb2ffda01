// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with int and dim3, 1 to 3 dimensions: every thread of every block runs once, with the right indices.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.2-01 C-2.1.2.3-01 C-1.2.2.1-01 C-2.3.1-01 C-1.2.1-01 B-1-01
#include <vector>

#include "check.h"

struct Seen {
  int runs;
  dim3 grid, block;
  uint3 in_grid, in_block;
};

__global__ void record(Seen *seen) {
  int thread = threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
  int block = blockIdx.x + blockIdx.y * gridDim.x + blockIdx.z * gridDim.x * gridDim.y;
  Seen &mine = seen[block * (blockDim.x * blockDim.y * blockDim.z) + thread];
  atomicAdd(&mine.runs, 1);
  mine.grid = gridDim;
  mine.block = blockDim;
  mine.in_grid = blockIdx;
  mine.in_block = threadIdx;
}

static void check_launch(dim3 grid, dim3 block, const std::vector<Seen> &seen) {
  size_t i = 0;
  for (unsigned bz = 0; bz < grid.z; ++bz)
    for (unsigned by = 0; by < grid.y; ++by)
      for (unsigned bx = 0; bx < grid.x; ++bx)
        for (unsigned tz = 0; tz < block.z; ++tz)
          for (unsigned ty = 0; ty < block.y; ++ty)
            for (unsigned tx = 0; tx < block.x; ++tx) {
              const Seen &s = seen[i++];
              CHECK_EQ(s.runs, 1);
              CHECK(s.in_grid.x == bx && s.in_grid.y == by && s.in_grid.z == bz);
              CHECK(s.in_block.x == tx && s.in_block.y == ty && s.in_block.z == tz);
              CHECK(s.grid.x == grid.x && s.grid.y == grid.y && s.grid.z == grid.z);
              CHECK(s.block.x == block.x && s.block.y == block.y && s.block.z == block.z);
            }
}

static void run(dim3 grid, dim3 block) {
  size_t threads = size_t(grid.x) * grid.y * grid.z * block.x * block.y * block.z;
  Seen *device = nullptr;
  std::vector<Seen> seen(threads);
  CHECK_CUDA(cudaMalloc(&device, threads * sizeof(Seen)));
  CHECK_CUDA(cudaMemset(device, 0, threads * sizeof(Seen)));
  record<<<grid, block>>>(device);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaMemcpy(seen.data(), device, threads * sizeof(Seen), cudaMemcpyDeviceToHost));
  check_launch(grid, block, seen);
  CHECK_CUDA(cudaFree(device));
}

int main() {
  run(1, 1);
  run(5, 33);
  run(3, 1024);
  run(dim3(4, 3), dim3(7, 5));
  run(dim3(2, 3, 4), dim3(3, 4, 5));
  run(dim3(1, 1, 6), dim3(1, 1, 64));
  run(dim3(300, 2), 2);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void spmv_warp_a_row(int rows, const int *starts, const int *columns, const float *values, const float *x,
                                float *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) {
    return;
  }
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) {
    sum += values[i] * x[columns[i]];
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}

__global__ void spmv_thread_a_row(int rows, const int *starts, const int *columns, const float *values, const float *x,
                                  float *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++) {
      sum += values[i] * x[columns[i]];
    }
    y[row] = sum;
  }
}

namespace {

void run_by_warp(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int rows = problem.sizes[0];
  spmv_warp_a_row<<<(rows + 7) / 8, 256>>>(rows, memory.in<int>(0), memory.in<int>(1), memory.in<float>(2),
                                           memory.in<float>(3), memory.out<float>());
  hel::bench::finish();
}

void run_by_thread(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int rows = problem.sizes[0];
  spmv_thread_a_row<<<(rows + 255) / 256, 256>>>(rows, memory.in<int>(0), memory.in<int>(1), memory.in<float>(2),
                                                 memory.in<float>(3), memory.out<float>());
  hel::bench::finish();
}

const hel::bench::Side by_warp("spmv_warp_a_row", hel::bench::Who::Helicon, run_by_warp);
const hel::bench::Side by_thread("spmv_thread_a_row", hel::bench::Who::Helicon, run_by_thread);

}  // namespace

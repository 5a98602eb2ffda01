// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix transposes: straight, through a shared tile, through a padded shared tile; all give the exact result.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.3.4-01 C-1.2.2.2-01 B-2-01
#include <vector>

#include "check.h"

#define AT(row, column, width) ((row) * (width) + (column))

__global__ void straight(int m, const double *in, double *out) {
  int row = blockDim.y * blockIdx.y + threadIdx.y, column = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < m && column < m) {
    out[AT(column, row, m)] = in[AT(row, column, m)];
  }
}

template <int kPad> __global__ void tiled(int m, const double *in, double *out) {
  __shared__ double tile[32][32 + kPad];
  int row = blockDim.y * blockIdx.y + threadIdx.y, column = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < m && column < m) {
    tile[threadIdx.y][threadIdx.x] = in[AT(row, column, m)];
  }
  __syncthreads();
  int out_row = blockDim.x * blockIdx.x + threadIdx.y, out_column = blockDim.y * blockIdx.y + threadIdx.x;
  if (out_row < m && out_column < m) {
    out[AT(out_row, out_column, m)] = tile[threadIdx.x][threadIdx.y];
  }
}

// All lanes write one address: one of the values stays.
__global__ void one_wins(int *out) { *out = 1000 + threadIdx.x; }

int main() {
  const int m = 70;
  double *in = nullptr, *out = nullptr;
  CHECK_CUDA(cudaMallocManaged(&in, m * m * sizeof(double)));
  CHECK_CUDA(cudaMallocManaged(&out, m * m * sizeof(double)));
  for (int i = 0; i < m * m; ++i) {
    in[i] = i;
  }
  dim3 block(32, 32), grid((m + 31) / 32, (m + 31) / 32);
  for (auto kernel : {straight, tiled<0>, tiled<1>}) {
    CHECK_CUDA(cudaMemset(out, 0xff, m * m * sizeof(double)));
    kernel<<<grid, block>>>(m, in, out);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int row = 0; row < m; ++row) {
      for (int column = 0; column < m; ++column) {
        CHECK_EQ(out[AT(column, row, m)], in[AT(row, column, m)]);
      }
    }
  }
  int *cell = (int *)out;
  one_wins<<<1, 45>>>(cell);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(*cell >= 1000 && *cell < 1045);
  return check_report();
}

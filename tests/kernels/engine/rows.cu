// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose rows are shorter than a warp, or do not fill warps: accesses along rows, down columns, one a row, loop
// bounds that differ between rows, rows that are not there.
// RUN: %mcc %s -o %t && %run %t
// covers: C-1.2.2.2-01
#include <vector>

#include "check.h"

constexpr int kW = 75, kH = 41, kD = 9;

__host__ __device__ int element(int i) { return (i * 37 + 11) % 101; }

__global__ void sum_rows(const int *in, const int *length, int *out, unsigned char *bytes, double *wide) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= kW || y >= kH || z >= kD) {
    return;
  }
  int at = (z * kH + y) * kW + x, sum = 0;
  for (int i = 0; i < length[y]; i++) {                 // one bound a row
    sum += in[(z * kH + y) * kW + i] * in[i * kW + x];  // one place a row; along rows
  }
  out[at] = sum;
  bytes[at] = static_cast<unsigned char>(in[at] + y);
  wide[(z * kW + x) * kH + y] = 0.5 * in[at];  // down columns
}

__global__ void swap_tiles(const int *in, int *out, int n) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  }
  __syncthreads();
  x = blockIdx.y * blockDim.y + threadIdx.x;
  y = blockIdx.x * blockDim.x + threadIdx.y;
  if (x < n && y < n) {
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
  }
}

template <class T> T *managed(size_t count) {
  T *made = nullptr;
  CHECK_CUDA(cudaMallocManaged(&made, count * sizeof(T)));
  return made;
}

int main() {
  constexpr int kAll = kW * kH * kD;
  int *in = managed<int>(kAll), *length = managed<int>(kH), *out = managed<int>(kAll);
  auto *bytes = managed<unsigned char>(kAll);
  auto *wide = managed<double>(kAll);
  for (int i = 0; i < kAll; i++) {
    in[i] = element(i);
  }
  for (int y = 0; y < kH; y++) {
    length[y] = y % 7;
  }
  for (dim3 block : {dim3(32, 4), dim3(16, 16), dim3(16, 3), dim3(16, 2, 4), dim3(8, 8), dim3(8, 8, 8), dim3(8, 5),
                     dim3(4, 4, 4), dim3(24, 4), dim3(48, 2), dim3(5, 7)}) {
    CHECK_CUDA(cudaMemset(out, 0xff, kAll * sizeof(int)));
    dim3 grid((kW + block.x - 1) / block.x, (kH + block.y - 1) / block.y, (kD + block.z - 1) / block.z);
    sum_rows<<<grid, block>>>(in, length, out, bytes, wide);
    CHECK_CUDA(cudaDeviceSynchronize());
    int wrong = 0;
    for (int at = 0; at < kAll; at++) {
      int x = at % kW, y = at / kW % kH, z = at / kW / kH, sum = 0;
      for (int i = 0; i < y % 7; i++) {
        sum += element((z * kH + y) * kW + i) * element(i * kW + x);
      }
      wrong += out[at] != sum || bytes[at] != static_cast<unsigned char>(element(at) + y) ||
               wide[(z * kW + x) * kH + y] != 0.5 * element(at);
    }
    CHECK_EQ(wrong, 0);
  }
  for (int side : {16, 8}) {
    constexpr int kN = 60;
    swap_tiles<<<dim3((kN + side - 1) / side, (kN + side - 1) / side), dim3(side, side)>>>(in, out, kN);
    CHECK_CUDA(cudaDeviceSynchronize());
    int wrong = 0;
    for (int i = 0; i < kN * kN; i++) {
      wrong += out[i] != element(i % kN * kN + i / kN);
    }
    CHECK_EQ(wrong, 0);
  }
  return check_report();
}

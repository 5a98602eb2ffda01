// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

template <int kTile>
__global__ void matmul_tiled(int n, const float *a, const float *b, float *c) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int t = 0; t < n / kTile; t++) {
    as[ty][tx] = a[row * n + t * kTile + tx];
    bs[ty][tx] = b[(t * kTile + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; k++) {
      sum += as[ty][k] * bs[k][tx];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void matmul_naive(int n, const float *a, const float *b, float *c) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) {
    sum += a[row * n + k] * b[k * n + column];
  }
  c[row * n + column] = sum;
}

namespace {

template <int kTile>
void run_tiled(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int n = problem.sizes[0];
  dim3 block(kTile, kTile), grid(n / kTile, n / kTile);
  matmul_tiled<kTile><<<grid, block>>>(n, memory.in<float>(0), memory.in<float>(1), memory.out<float>());
  hel::bench::finish();
}

void run_naive(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int n = problem.sizes[0];
  dim3 block(32, 8), grid(n / 32, n / 8);
  matmul_naive<<<grid, block>>>(n, memory.in<float>(0), memory.in<float>(1), memory.out<float>());
  hel::bench::finish();
}

const hel::bench::Side tiled32("matmul_tiled_32", hel::bench::Who::Helicon, run_tiled<32>);
const hel::bench::Side tiled16("matmul_tiled_16", hel::bench::Who::Helicon, run_tiled<16>);
const hel::bench::Side naive("matmul_naive", hel::bench::Who::Helicon, run_naive);

}  // namespace

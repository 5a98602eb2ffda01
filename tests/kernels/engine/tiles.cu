// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in shared memory: what warps hold across a barrier, whether it is the same in all of them or not. Products of
// matrices with tiles of several shapes and at edges; values chosen by the way that a warp came; warps that stand at one
// barrier in different rounds of a loop.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.3.3.2-01 M-3.2.4-01
#include "check.h"

#include <vector>

template <int kColumns, int kRows>
__global__ void product(int n, const float *a, const float *b, float *c) {
  constexpr int kDepth = kColumns;
  __shared__ float as[kRows][kDepth], bs[kDepth][kColumns];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * kRows + y, column = blockIdx.x * kColumns + x;
  float sum = 0;
  for (int t = 0; t < n; t += kDepth) {
    as[y][x] = row < n && t + x < n ? a[row * n + t + x] : 0;
    for (int k = y; k < kDepth; k += kRows) {
      bs[k][x] = t + k < n && column < n ? b[(t + k) * n + column] : 0;
    }
    __syncthreads();
    for (int k = 0; k < kDepth; k++) {
      sum += as[y][k] * bs[k][x];
    }
    __syncthreads();
  }
  if (row < n && column < n) {
    c[row * n + column] = sum;
  }
}

/// Nothing is masked: n is a multiple of the tile.
template <int kTile> __global__ void whole(int n, const float *a, const float *b, float *c) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int t = 0; t < n / kTile; t++) {
    as[y][x] = a[row * n + t * kTile + x];
    bs[y][x] = b[(t * kTile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; k++) {
      sum += as[y][k] * bs[k][x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// Blocks of rows of 32 threads: threadIdx.y is the number of the warp.
__device__ int place() { return (blockIdx.x * blockDim.y + threadIdx.y) * 32 + threadIdx.x; }

__device__ float weighted(const float *from, float factor, int n) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    sum += from[k] * (factor + threadIdx.x);
  }
  return sum;
}

/// The factor depends on the warp by the way that it took alone.
__global__ void chosen(const float *in, float *out) {
  float factor;
  if (threadIdx.y % 3 == 1) {
    factor = in[1];
    out[place()] = 1;
  } else {
    factor = in[2];
  }
  __syncthreads();
  out[place()] = weighted(in, factor, 16);
}

/// Warps leave the first loop after different numbers of turns, and keep where they left it.
__global__ void left(const float *in, float *out) {
  int k = 0;
  while (in[k] < static_cast<float>(threadIdx.y)) {
    k++;
  }
  __syncthreads();
  out[place()] = weighted(in, in[k], 16);
}

/// Odd warps pass one barrier before the loop and the others one behind it: they meet in different turns.
__global__ void apart(const float *in, float *out) {
  bool odd = __any_sync(~0u, threadIdx.y & 1);
  float sum = 0;
  if (odd) {
    __syncthreads();
  }
#pragma unroll 1
  for (int turn = 0; turn < 5; turn++) {
    float factor = in[turn];
    __syncthreads();
    sum += weighted(in + turn, factor, 8);
  }
  __syncthreads();
  if (!odd) {
    __syncthreads();
  }
  out[place()] = sum;
}

/// Atomics on what all warps share: each adds to what the others have made of it.
__global__ void counted(const float *in, float *out) {
  __shared__ float total;
  __shared__ int next;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    total = next = 0;
  }
  __syncthreads();
  float sum = weighted(in, -static_cast<float>(threadIdx.x), 16);
  atomicAdd(&total, weighted(in, 1, 16) + sum);
  int number = atomicAdd(&next, 1);
  __syncthreads();
  float factor = static_cast<float>(number) - threadIdx.x;
  out[blockIdx.x * blockDim.x * blockDim.y + number] = weighted(in, factor, 16) + total;
}

static float expected_weighted(const std::vector<float> &from, int first, float factor, int n, int lane) {
  float sum = 0;
  for (int k = 0; k < n; k++) {
    sum += from[first + k] * (factor + lane);
  }
  return sum;
}

int main() {
  constexpr int kMost = 96;
  std::vector<float> a(kMost * kMost), b(kMost * kMost);
  for (int i = 0; i < kMost * kMost; i++) {
    a[i] = i % 13 - 6;
    b[i] = i % 7 - 3;
  }
  float *da, *db, *dc;
  size_t bytes = a.size() * sizeof(float);
  CHECK_CUDA(cudaMalloc(&da, bytes));
  CHECK_CUDA(cudaMalloc(&db, bytes));
  CHECK_CUDA(cudaMalloc(&dc, bytes));
  CHECK_CUDA(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
  std::vector<float> c(a.size());
  auto check = [&](int n) {
    CHECK_CUDA(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < n; k++) {
          sum += a[i * n + k] * b[k * n + j];
        }
        wrong += c[i * n + j] != sum;
      }
    }
    CHECK_EQ(wrong, 0);
  };
  auto run = [&](auto kernel, int columns, int rows, int n) {
    CHECK_CUDA(cudaMemset(dc, 0xff, bytes));
    dim3 grid((n + columns - 1) / columns, (n + rows - 1) / rows);
    kernel<<<grid, dim3(columns, rows)>>>(n, da, db, dc);
    CHECK_CUDA(cudaDeviceSynchronize());
    check(n);
  };
  for (int n : {96, 77, 33, 5}) {
    run(product<32, 32>, 32, 32, n);
    run(product<32, 8>, 32, 8, n);
    run(product<32, 3>, 32, 3, n);
    run(product<16, 16>, 16, 16, n);
    run(product<16, 5>, 16, 5, n);
    run(product<8, 8>, 8, 8, n);
    run(product<64, 4>, 64, 4, n);
    run(product<12, 10>, 12, 10, n);
  }
  run(whole<32>, 32, 32, 96);
  run(whole<16>, 16, 16, 96);
  run(whole<8>, 8, 8, 96);
  run(whole<12>, 12, 12, 96);

  std::vector<float> in(64);
  for (int i = 0; i < 64; i++) {
    in[i] = i * i % 23;
  }
  CHECK_CUDA(cudaMemcpy(da, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (int rows : {16, 10, 3, 1}) {
    auto compare = [&](auto kernel, auto expected) {
      int threads = 32 * rows;
      kernel<<<3, dim3(32, rows)>>>(da, dc);
      CHECK_CUDA(cudaDeviceSynchronize());
      CHECK_CUDA(cudaMemcpy(c.data(), dc, 3 * threads * sizeof(float), cudaMemcpyDeviceToHost));
      int wrong = 0;
      for (int i = 0; i < 3 * threads; i++) {
        wrong += c[i] != expected(i % threads / 32, i % 32);
      }
      CHECK_EQ(wrong, 0);
    };
    compare(chosen, [&](int warp, int lane) {
      return expected_weighted(in, 0, warp % 3 == 1 ? in[1] : in[2], 16, lane);
    });
    float sum = 0, total = 0;
    for (int k = 0; k < 16; k++) {
      sum += in[k];
      for (int lane = 0; lane < 32; lane++) {
        total += rows * in[k] * (1 + lane);
      }
    }
    compare(counted, [&](int warp, int lane) { return sum * (32 * warp + lane) + total; });
    compare(left, [&](int warp, int lane) {
      int k = 0;
      while (in[k] < static_cast<float>(warp)) {
        k++;
      }
      return expected_weighted(in, 0, in[k], 16, lane);
    });
    compare(apart, [&](int warp, int lane) {
      float sum = 0;
      for (int turn = 0; turn < 5; turn++) {
        sum += expected_weighted(in, turn, in[turn], 8, lane);
      }
      return sum;
    });
  }
  return check_report();
}

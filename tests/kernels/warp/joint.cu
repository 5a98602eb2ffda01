// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices, whose warps share what they read: by blocks of many shapes, with warps left over, tiles in shared
// memory, and sizes that are not multiples of the block. All numbers are small integers: sums are exact in any order.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

#include <vector>

__global__ void plain(const float *a, const float *b, float *c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) {
    float sum = 0;
    for (int k = 0; k < n; k++) {
      sum += a[row * n + k] * b[k * n + column];
    }
    c[row * n + column] = sum;
  }
}

__global__ void whole(const float *a, const float *b, float *c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) {
    sum += a[row * n + k] * b[k * n + column];
  }
  c[row * n + column] = sum;
}

template <int kTile> __global__ void tiled(const float *a, const float *b, float *c, int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int t = 0; t < n; t += kTile) {
    as[ty][tx] = a[row * n + t + tx];
    bs[ty][tx] = b[(t + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; k++) {
      sum += as[ty][k] * bs[k][tx];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// The number of turns is read from memory, and what is read is written by the same warp before.
__global__ void turns(const float *a, float *c, const int *count) {
  __shared__ float mine[256];
  float sum = 0;
  for (int i = 0; i < *count; i++) {
    mine[threadIdx.x] = a[i] + threadIdx.x;
    sum += mine[threadIdx.x] * a[i + 1];
  }
  c[threadIdx.x] = sum;
}

// Bytes here and there are read lane by lane: each warp's lanes from addresses of their own.
__global__ void looked_up(const unsigned char *table, const int *at, float *sums, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) {
    sum += table[at[t]] * 0.5f;
    t += gridDim.x * blockDim.x;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void look_up() {
  constexpr int kBytes = 4096, kTurns = 16, kThreads = 1024;
  unsigned char *table;
  int *at;
  float *sums;
  CHECK_CUDA(cudaMallocManaged(&table, kBytes));
  CHECK_CUDA(cudaMallocManaged(&at, kTurns * kThreads * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&sums, kThreads * sizeof(float)));
  for (int i = 0; i < kBytes; i++) {
    table[i] = i * 7 % 251;
  }
  for (int i = 0; i < kTurns * kThreads; i++) {
    at[i] = i * 1237 % kBytes;
  }
  looked_up<<<4, kThreads / 4>>>(table, at, sums, kTurns);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < kThreads; t++) {
    float sum = 0;
    for (int k = 0; k < kTurns; k++) {
      sum += table[at[k * kThreads + t]] * 0.5f;
    }
    CHECK_EQ(sums[t], sum);
  }
}

static void compare(const std::vector<float> &right, float *c, int n) {
  std::vector<float> got(n * n);
  CHECK_CUDA(cudaMemcpy(got.data(), c, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemset(c, 0, got.size() * sizeof(float)));
  int wrong = 0;
  for (int i = 0; i < n * n; i++) {
    wrong += got[i] != right[i];
  }
  CHECK_EQ(wrong, 0);
}

int main() {
  float *a, *b, *c;
  int *count;
  constexpr int kMost = 96;
  CHECK_CUDA(cudaMalloc(&a, kMost * kMost * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&b, kMost * kMost * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&c, kMost * kMost * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&count, sizeof(int)));
  std::vector<float> x(kMost * kMost), y(kMost * kMost);
  for (int i = 0; i < kMost * kMost; i++) {
    x[i] = (float)(i * 7 % 11 - 5);
    y[i] = (float)(i * 13 % 17 - 8);
  }
  CHECK_CUDA(cudaMemcpy(a, x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(b, y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (int n : {96, 61}) {
    std::vector<float> right(n * n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          right[i * n + j] += x[i * n + k] * y[k * n + j];
        }
      }
    }
    for (dim3 block : {dim3(32, 8), dim3(32, 32), dim3(16, 16), dim3(8, 8), dim3(64, 4), dim3(96, 3), dim3(24, 5)}) {
      dim3 grid((n + block.x - 1) / block.x, (n + block.y - 1) / block.y);
      plain<<<grid, block>>>(a, b, c, n);
      compare(right, c, n);
      if (n % block.x == 0 && n % block.y == 0) {
        whole<<<grid, block>>>(a, b, c, n);
        compare(right, c, n);
      }
    }
    if (n == 96) {
      tiled<32><<<dim3(3, 3), dim3(32, 32)>>>(a, b, c, n);
      compare(right, c, n);
      tiled<16><<<dim3(6, 6), dim3(16, 16)>>>(a, b, c, n);
      compare(right, c, n);
      tiled<8><<<dim3(12, 12), dim3(8, 8)>>>(a, b, c, n);
      compare(right, c, n);
    }
  }
  const int number = 50;
  CHECK_CUDA(cudaMemcpy(count, &number, sizeof number, cudaMemcpyHostToDevice));
  for (int threads : {256, 224, 100}) {
    turns<<<1, threads>>>(a, c, count);
    std::vector<float> got(threads);
    CHECK_CUDA(cudaMemcpy(got.data(), c, threads * sizeof(float), cudaMemcpyDeviceToHost));
    for (int t = 0; t < threads; t++) {
      float sum = 0;
      for (int i = 0; i < number; i++) {
        sum += (x[i] + t) * x[i + 1];
      }
      CHECK_EQ(got[t], sum);
    }
  }
  look_up();
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over rows by whole blocks, and trees in shared memory: rows of many lengths (the warps of a block turn equally
// often or not), blocks of many sizes, loops that store, loops without memory, results of the first warp that all use.
// RUN: %mcc -arch=sm_80 %s -o %t && %run %t
// covers: M-3.2.4-01
#include "check.h"

#include <vector>

constexpr int kRows = 5, kLongest = 1100, kOut = 1024;

__device__ float tree(float mine, float *s) {
  int t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
  for (int k = 512; k > 0; k /= 2) {
    if (t < k && t + k < blockDim.x) s[t] += s[t + k];
    __syncthreads();
  }
  float all = s[0];
  __syncthreads();
  return all;
}

/// out[row] = sum of the row; y = x - mean, in place.
__global__ void centre(float *x, float *out, int n) {
  __shared__ float s[1024];
  float *row = x + blockIdx.x * kLongest, sum = 0, squares = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += row[i];
    squares += row[i] * row[i];
  }
  float all = tree(sum, s), square = tree(squares, s);
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = row[i] - all;
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = all;
    out[2 * blockIdx.x + 1] = square;
  }
}

/// A step that the compiler knows, and a tree whose last steps are one warp's.
__global__ void by_128(const float *x, float *out, int n) {
  __shared__ float s[128];
  const float *row = x + blockIdx.x * kLongest;
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 128) sum += row[i] * row[n - 1 - i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 64; k; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = s[0];  // what the first warp made, for all
}

/// The first warp publishes after a loop that touches no memory.
__global__ void computed(float *out, int n) {
  __shared__ float s[32];
  float a = 1, b = threadIdx.x;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    a += b;
    b += 2;
  }
  if (threadIdx.x < 32) s[threadIdx.x] = a;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + s[31 - threadIdx.x % 32];
}

/// The first warp writes what all have read: the barrier before has to stay.
__global__ void shifted(int *out) {
  __shared__ int s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  int sum = 0;
  for (int turn = 0; turn < 4; turn++) {
    sum = sum * 31 + s[(threadIdx.x + turn) % 32];
    __syncthreads();
    if (threadIdx.x < 32) s[threadIdx.x] += turn + 1;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Values are small whole numbers: sums are exact in any order.
static float value(int row, int i) { return static_cast<float>((row * 7 + i * 13) % 9 - 4); }

int main() {
  std::vector<float> start(kRows * kLongest);
  for (int r = 0; r < kRows; r++) {
    for (int i = 0; i < kLongest; i++) start[r * kLongest + i] = value(r, i);
  }
  float *x, *out;
  int *ints;
  CHECK_CUDA(cudaMallocManaged(&x, start.size() * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, kRows * kOut * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&ints, kRows * kOut * sizeof(int)));
  for (int n : {0, 1, 31, 32, 33, 127, 128, 129, 256, 500, 640, 768, 900, 1000, 1023, 1024, 1025, kLongest}) {
    for (int threads : {32, 64, 96, 100, 128, 224, 256, 512, 1000, 1024}) {
      std::copy(start.begin(), start.end(), x);
      centre<<<kRows, threads>>>(x, out, n);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int r = 0; r < kRows; r++) {
        float sum = 0, squares = 0;
        for (int i = 0; i < n; i++) {
          sum += value(r, i);
          squares += value(r, i) * value(r, i);
        }
        CHECK(out[2 * r] == sum);
        CHECK(out[2 * r + 1] == squares);
        for (int i = 0; i < kLongest; i++) CHECK(x[r * kLongest + i] == value(r, i) - (i < n ? sum : 0));
      }
      computed<<<kRows, threads>>>(out, n);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int t = 0; t < kRows * threads; t++) {
        auto alone = [&](int thread) {
          float a = 1, b = thread;
          for (int i = thread; i < n; i += threads, b += 2) a += b;
          return a;
        };
        int thread = t % threads;
        CHECK(out[t] == alone(thread) + alone(31 - thread % 32));
      }
    }
    std::copy(start.begin(), start.end(), x);
    by_128<<<kRows, 128>>>(x, out, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int t = 0; t < kRows * 128; t++) {
      float sum = 0;
      for (int i = 0; i < n; i++) sum += value(t / 128, i) * value(t / 128, n - 1 - i);
      CHECK(out[t] == sum);
    }
  }
  for (int threads : {32, 64, 128, 1000, 1024}) {
    shifted<<<kRows, threads>>>(ints);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int t = 0; t < kRows * threads; t++) {
      int sum = 0, added = 0;
      for (int turn = 0; turn < 4; turn++) {
        sum = sum * 31 + (t % threads + turn) % 32 + added;
        added += turn + 1;
      }
      CHECK(ints[t] == sum);
    }
  }
  return check_report();
}

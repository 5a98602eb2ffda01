// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local arrays with indices that differ between threads: initialised, cleared, of structs and of two dimensions, seen
// in pieces of another size, given to a function that is not inlined, kept across a barrier and in divergent code. RUN:
// %mcc %s -o %t && %run %t
#include <cstring>

#include "check.h"

constexpr int kThreads = 96;

__host__ __device__ unsigned mix(unsigned x) { return (x ^ (x >> 7)) * 2654435761u; }

struct Point {
  int x, y;
};

__noinline__ __device__ int sum_of(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) {
    sum += values[i] * (i + 1);
  }
  return sum;
}

__host__ __device__ int sort_and_pick(unsigned seed) {
  unsigned char order[16];
  for (int i = 0; i < 16; i++) {
    order[i] = static_cast<unsigned char>(mix(seed + i) >> 24);
  }
  for (int i = 1; i < 16; i++) {  // insertion sort
    unsigned char v = order[i];
    int at = i;
    for (; at > 0 && order[at - 1] > v; at--) {
      order[at] = order[at - 1];
    }
    order[at] = v;
  }
  return order[seed % 16] + 256 * order[15];
}

__host__ __device__ double table(unsigned seed) {
  const double fixed[6] = {1.5, -2.25, 3, 4, 5.5, 6};
  double grid[3][4] = {};
  Point points[4] = {{1, 2}, {3, 4}};
  for (unsigned i = 0; i < seed % 9; i++) {
    grid[i % 3][(i + seed) % 4] += fixed[(seed + i) % 6];
    points[(seed >> 3) % 4].y += static_cast<int>(i);
    points[i % 4].x--;
  }
  return grid[seed % 3][seed / 3 % 4] + points[seed % 4].x * 100 + points[seed / 4 % 4].y;
}

__host__ __device__ int pieces(unsigned seed) {
  unsigned words[4] = {seed, seed * 3, seed * 5, seed * 7};
  unsigned char bytes[16];
  memcpy(bytes, words, 16);
  bytes[seed % 16] ^= 0x5a;
  memcpy(words, bytes, 16);
  return static_cast<int>(words[seed % 4] % 1000003);
}

__global__ void run(int *out, double *real, int *across) {
  int i = threadIdx.x;
  int kept[8];
  for (int k = 0; k < 8; k++) {
    kept[k] = i * k;
  }
  int result = 0;
  if (i % 3 != 0) {
    result = sort_and_pick(i);
  } else {
    kept[i % 8] = -1;
    result = pieces(i);
  }
  real[i] = table(mix(i) >> 8);
  __syncthreads();
  kept[(i + 1) % 8] += 5;
  int escapes[5];
  for (int k = 0; k < 5; k++) {
    escapes[k] = kept[(k + i) % 8];
  }
  across[i] = kept[i % 8] + 10 * kept[(i / 2) % 8] + 7 * sum_of(escapes, i % 6);
  out[i] = result;
}

int main() {
  int *out, *across;
  double *real;
  CHECK_CUDA(cudaMallocManaged(&out, kThreads * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&across, kThreads * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&real, kThreads * sizeof(double)));
  run<<<1, kThreads>>>(out, real, across);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; i++) {
    int kept[8];
    for (int k = 0; k < 8; k++) {
      kept[k] = i * k;
    }
    if (i % 3 == 0) {
      kept[i % 8] = -1;
    }
    kept[(i + 1) % 8] += 5;
    int sum = 0;
    for (int k = 0; k < i % 6; k++) {
      sum += kept[(k + i) % 8] * (k + 1);
    }
    CHECK_EQ(across[i], kept[i % 8] + 10 * kept[(i / 2) % 8] + 7 * sum);
    CHECK_EQ(out[i], i % 3 != 0 ? sort_and_pick(i) : pieces(i));
    CHECK_EQ(real[i], table(mix(i) >> 8));
  }
  return check_report();
}

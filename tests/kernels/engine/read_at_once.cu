// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum over the block that all threads read in shared memory, asked for twice with no barrier in between: the program
// should have one. A GPU's warps have read the first sum before one of them is so far as to write again, and programs
// count on it. So do the warps of the warp engine.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.4.1-01
#include "check.h"

#include <vector>

__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(~0u, value, distance);
  }
  return value;
}

__device__ float block_sum(float value) {
  __shared__ float sums[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = warp_sum(value);
  if (lane == 0) {
    sums[warp] = value;
  }
  __syncthreads();
  if (warp == 0) {
    value = warp_sum(lane < blockDim.x / 32 ? sums[lane] : 0);
    if (lane == 0) {
      sums[0] = value;
    }
  }
  __syncthreads();
  return sums[0];
}

__global__ void center(const float *in, float *out, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    sum += in[i];
  }
  const float mean = block_sum(sum) / n;
  float squares = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    squares += (in[i] - mean) * (in[i] - mean);
  }
  const float variance = block_sum(squares) / n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] = (in[i] - mean) / variance;
  }
}

// Atomics at one place are what warps have to read one after the other.
__global__ void least(const int *in, int *out, int place) {
  __shared__ int found[4], added[4];
  if (threadIdx.x < 4) {
    found[threadIdx.x] = 1000;
    added[threadIdx.x] = 0;
  }
  const int mine = in[threadIdx.x];
  __syncthreads();
  atomicMin(&found[place], mine);
  __syncthreads();
  atomicAdd(&added[place], mine);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = found[place];
    out[1] = added[place];
  }
}

void test_atomics() {
  constexpr int threads = 256;
  int *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, threads * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, 2 * sizeof(int)));
  int sum = 0;
  for (int i = 0; i < threads; i++) {
    in[i] = 10 + (i + 156) % threads;
    sum += in[i];
  }
  least<<<1, threads>>>(in, out, 2);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 10);
  CHECK_EQ(out[1], sum);
}

int main() {
  test_atomics();
  constexpr int n = 1024;
  float *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(float)));
  for (int i = 0; i < n; i++) {
    in[i] = static_cast<float>(i % 64);
  }
  const float variance = (64 * 64 - 1) / 12.0f;
  for (int threads = 32; threads <= 512; threads += 32) {
    center<<<1, threads>>>(in, out, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
      CHECK(out[i] == (in[i] - 31.5f) / variance);
    }
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose last warp lacks lanes: guards, numbers of threads taken apart, votes, exchanges between lanes, barriers.
// RUN: %mcc %s -o %t && %run %t
// covers: C-1.2.2.2-01
#include "check.h"

struct Seen {
  int index, row, lane, voters, neighbour, sum;
};

__global__ void look(Seen *seen, int n) {
  __shared__ int shared[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = i;
  __syncthreads();
  if (i < n) {
    seen[i].index = i;
    seen[i].row = i / 32;
    seen[i].lane = i % 32;
    seen[i].neighbour = shared[(threadIdx.x + 1) % blockDim.x];
  }
  unsigned voters = __ballot_sync(__activemask(), i < n);
  int sum = 0;
  for (int j = threadIdx.x; j < blockDim.x; j += 32) {
    sum += shared[j];
  }
  __syncthreads();
  shared[threadIdx.x] = sum;
  __syncthreads();
  if (i < n) {
    seen[i].voters = __popc(voters);
    seen[i].sum = shared[threadIdx.x % 32];
  }
}

/// No barrier, nothing taken apart: the grid's threads step through an array.
__global__ void step(const float *in, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = in[i] * 2 + i;
  }
}

int main() {
  Seen *seen;
  float *in, *out;
  CHECK_CUDA(cudaMallocManaged(&seen, 4096 * sizeof(Seen)));
  CHECK_CUDA(cudaMallocManaged(&in, 4096 * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&out, 4096 * sizeof(float)));
  for (int i = 0; i < 4096; i++) {
    in[i] = 0.5f * i;
  }
  for (int threads : {1, 31, 33, 63, 64, 65, 100, 200, 1000}) {
    const int n = 3 * threads - threads / 3;
    look<<<3, threads>>>(seen, n);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
      const int block = i / threads, thread = i % threads, warp = thread / 32;
      int voters = 0, sum = 0;
      for (int t = 32 * warp; t < threads && t < 32 * warp + 32; t++) {
        voters += block * threads + t < n;
      }
      for (int t = thread % 32; t < threads; t += 32) {
        sum += block * threads + t;
      }
      CHECK(seen[i].index == i && seen[i].row == i / 32 && seen[i].lane == i % 32);
      CHECK_EQ(seen[i].neighbour, block * threads + (thread + 1) % threads);
      CHECK_EQ(seen[i].voters, voters);
      CHECK_EQ(seen[i].sum, sum);
    }
    for (int size : {1, threads, 4095}) {
      CHECK_CUDA(cudaMemset(out, 0, 4096 * sizeof(float)));
      step<<<2, threads>>>(in, out, size);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = 0; i < 4096; i++) {
        CHECK_EQ(out[i], i < size ? in[i] * 2 + i : 0.0f);
      }
    }
  }
  return check_report();
}

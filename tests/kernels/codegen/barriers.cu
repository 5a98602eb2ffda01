// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers that optimisers like to copy or move: in loops with continue, before uniform exits, after early returns, guarded by ids.
// covers: C-5.4.4.1-01 C-5.4.1.3-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

// A loop mixes `continue` with a barrier: every thread meets it in each round, and the loop ends.
__global__ void loop_with_continue(int *out, int n) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if ((i & 1) == 0) {
      if (!__syncthreads_or(threadIdx.x == 3)) {
        break;
      }
      continue;
    }
    count++;
    if (__syncthreads_count(count > 5)) {
      break;
    }
  }
  out[threadIdx.x] = count;
}

__global__ void early_exit(int *out) {
  __shared__ int sum;
  if (threadIdx.x >= 40) {
    return;
  }
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncthreads();
  out[threadIdx.x] = sum;
}

// A store must not pass a barrier nor be forwarded through it.
__global__ void write_between(int *out) {
  __shared__ int s;
  int id = threadIdx.x, copy = id;
  s = 0;
  __syncthreads();
  if (copy == 0) {
    s = 1234;
  }
  __syncthreads();
  out[id] = s;
}

// Guarded work with a trip count that depends on the thread; the barrier is met by all.
__global__ void uneven(int *out, int n) {
  __shared__ int total[64];
  int t = threadIdx.x;
  total[t] = 0;
  for (int i = 0; i < n; ++i) {
    if (i < t) {
      total[t] += i;
    }
    __syncthreads();
  }
  out[t] = total[(t + 1) % 64];
}

// Tree reduction with growing steps, block size not a power of two.
__global__ void tree(const int *in, int *least, int *most, int n) {
  __shared__ int low[96], high[96];
  int t = threadIdx.x;
  low[t] = high[t] = in[t];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    if (t % (2 * step) == 0 && t + step < n) {
      low[t] = min(low[t], low[t + step]);
      high[t] = max(high[t], high[t + step]);
    }
    __syncthreads();
  }
  if (t == 0) {
    *least = low[0];
    *most = high[0];
  }
}

// Half of the threads return in each round: they leave the barrier.
__global__ void leaving(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t >= half) {
      return;
    }
    s[t] += s[t + half];
    __syncthreads();
  }
  *out = s[0];
}

int main() {
  int *out;
  REQUIRE_CUDA(cudaMallocManaged(&out, 256 * sizeof(int)));
  loop_with_continue<<<1, 64>>>(out, 100);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 6);
  CHECK_EQ(out[63], 6);
  early_exit<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 40);
  CHECK_EQ(out[39], 40);
  write_between<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(out[i], 1234);
  }
  uneven<<<1, 64>>>(out, 70);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    int t = (i + 1) % 64;
    CHECK_EQ(out[i], t * (t - 1) / 2);
  }
  for (int i = 0; i < 96; ++i) {
    out[64 + i] = (i * 37 + 11) % 101 - 50;
  }
  int least = 1000, most = -1000;
  for (int i = 0; i < 96; ++i) {
    least = out[64 + i] < least ? out[64 + i] : least;
    most = out[64 + i] > most ? out[64 + i] : most;
  }
  tree<<<1, 96>>>(out + 64, out, out + 1, 96);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], least);
  CHECK_EQ(out[1], most);
  leaving<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 2016);
  return check_report();
}

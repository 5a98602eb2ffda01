// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread holds across a barrier: values of every type, local arrays, loop counters that differ between warps,
// votes that are used later; warps that end before others reach a barrier, and warps at different calls of it.
// RUN: %mcc -O2 %s -o %t && %run %t
#include "check.h"

#include <vector>

__global__ void keep(const int *in, int *out) {
  __shared__ int shared[256];
  const int t = threadIdx.x;
  const int v = in[t];
  const bool odd = v & 1;
  const signed char c = (signed char)v;
  const short s = (short)(v * 3);
  const long long l = (long long)v * 1000003;
  const float f = v * 0.5f;
  const double d = v * 0.25;
  const int *place = in + (v & 127);
  int local[4] = {v, v + 1, v + 2, v + 3};
  local[v & 3] += 10;
  shared[t] = v;
  __syncthreads();
  int sum = shared[(t + 33) % 256] + (odd ? 5 : 7) + c + s + (int)(l % 997) + (int)f + (int)d + *place;
  __syncthreads();
  shared[t] = sum;
  local[(v >> 2) & 3] ^= 1;
  __syncthreads();
  out[t] = shared[255 - t] + local[t & 3] + (odd ? 1 : 0);
}

// Each warp takes another number of rounds; one that is done ends while the others go on.
__global__ void leave(int *out, int n) {
  __shared__ int shared[256];
  const int t = threadIdx.x, rounds = 1 + t / 32;
  shared[t] = 0;
  __syncthreads();
  int seen = 0;
  for (int i = 0; i < rounds; i++) {
    shared[t] = i + 1;
    const int voters = __syncthreads_count(t % 2);
    const int any = __syncthreads_or(t == 200 && i == n);
    const int all = __syncthreads_and(t >= 32 || i == 0);
    seen = seen * 7 + voters + 3 * any + 5 * all;
  }
  out[t] = seen;
}

// Two calls of one barrier: the warps wait at different ones for each other.
__global__ void meet(int *out) {
  __shared__ int shared[128];
  const int t = threadIdx.x;
  shared[t] = t;
  if (t < 64) {
    __syncthreads();
    out[t] = shared[t + 64];
  } else {
    const int mine = shared[t] * 2;
    __syncthreads();
    out[t] = shared[t - 64] + mine;
  }
}

static std::vector<int> fetch(const int *device, int n) {
  std::vector<int> host(n);
  CHECK_CUDA(cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
  return host;
}

int main() {
  int *in, *out;
  CHECK_CUDA(cudaMalloc(&in, 256 * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&out, 256 * sizeof(int)));
  std::vector<int> v(256);
  for (int t = 0; t < 256; t++) {
    v[t] = (t * 7919) % 1000 - 300;
  }
  CHECK_CUDA(cudaMemcpy(in, v.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
  keep<<<1, 256>>>(in, out);
  std::vector<int> got = fetch(out, 256), sums(256);
  for (int t = 0; t < 256; t++) {
    sums[t] = v[(t + 33) % 256] + (v[t] & 1 ? 5 : 7) + (signed char)v[t] + (short)(v[t] * 3) +
              (int)((long long)v[t] * 1000003 % 997) + (int)(v[t] * 0.5f) + (int)(v[t] * 0.25) + v[v[t] & 127];
  }
  for (int t = 0; t < 256; t++) {
    int local[4] = {v[t], v[t] + 1, v[t] + 2, v[t] + 3};
    local[v[t] & 3] += 10;
    local[(v[t] >> 2) & 3] ^= 1;
    CHECK_EQ(got[t], sums[255 - t] + local[t & 3] + (v[t] & 1));
  }

  for (int threads : {256, 230}) {
    leave<<<1, threads>>>(out, 3);
    got = fetch(out, threads);
    for (int t = 0; t < threads; t++) {
      int seen = 0;
      for (int i = 0; i <= t / 32; i++) {
        int voters = 0;
        for (int other = i * 32; other < threads; other++) {
          voters += other % 2;
        }
        const int any = i == 3 && threads > 200;
        seen = seen * 7 + voters + 3 * any + 5;
      }
      CHECK_EQ(got[t], seen);
    }
  }

  meet<<<1, 128>>>(out);
  got = fetch(out, 128);
  for (int t = 0; t < 128; t++) {
    CHECK_EQ(got[t], t < 64 ? t + 64 : t - 64 + 2 * t);
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that go through more memory than the caches hold in steps of the whole grid: the warps of a block do them round
// by round. Sums that are kept from round to round, rounds in which some lanes do nothing, a barrier after the loop,
// two loops one after the other, a block that is too small.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <vector>

constexpr int kCount = (1 << 22) + 777;

__global__ void fill(int n, int *p) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    p[i] = i % 1001;
  }
}

__global__ void sum(int n, const int *in, long long *out) {
  __shared__ long long part[256];
  long long s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    s += in[i];
  }
  part[threadIdx.x] = s;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) {
      part[threadIdx.x] += part[threadIdx.x + step];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = part[0];
  }
}

__global__ void some(size_t n, const int *in, int *out, int *last) {
  size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int seen = 0;
  for (; i < n; i += size_t{gridDim.x} * blockDim.x) {
    int v = in[i];
    if (v % 7 == 3) continue;
    if (v & 1) {
      v = -v;
    }
    out[i] = v;
    seen++;
  }
  last[blockIdx.x * blockDim.x + threadIdx.x] = seen;
}

__global__ void twice(int n, const int *in, int *a, int *b) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    a[i] = in[i] + 1;
  }
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    b[i] = a[i] * 2;
  }
}

int main() {
  int *in, *a, *b;
  long long *sums;
  CHECK_CUDA(cudaMallocManaged(&in, kCount * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&a, kCount * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&b, kCount * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&sums, 64 * sizeof(long long)));
  fill<<<60, 256>>>(kCount, in);
  CHECK_CUDA(cudaDeviceSynchronize());
  long long expected = 0;
  int wrong = 0;
  for (int i = 0; i < kCount; i++) {
    wrong += in[i] != i % 1001;
    expected += i % 1001;
  }
  CHECK_EQ(wrong, 0);
  for (int threads : {32, 64, 128, 256}) {
    sum<<<50, threads>>>(kCount, in, sums);
    CHECK_CUDA(cudaDeviceSynchronize());
    long long total = 0;
    for (int i = 0; i < 50; i++) {
      total += sums[i];
    }
    CHECK_EQ(total, expected);
  }
  for (int threads : {64, 224, 250}) {
    constexpr int kBlocks = 31;
    CHECK_CUDA(cudaMemset(a, 0x7f, kCount * sizeof(int)));
    some<<<kBlocks, threads>>>(kCount, in, a, b);
    CHECK_CUDA(cudaDeviceSynchronize());
    std::vector<int> seen(kBlocks * threads);
    wrong = 0;
    for (int i = 0; i < kCount; i++) {
      int v = i % 1001;
      bool skipped = v % 7 == 3;
      wrong += a[i] != (skipped ? 0x7f7f7f7f : (v & 1) ? -v : v);
      seen[i % (kBlocks * threads)] += !skipped;
    }
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < kBlocks * threads; i++) {
      wrong += b[i] != seen[i];
    }
    CHECK_EQ(wrong, 0);
  }
  twice<<<40, 192>>>(kCount, in, a, b);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; i++) {
    wrong += a[i] != i % 1001 + 1 || b[i] != 2 * (i % 1001 + 1);
  }
  CHECK_EQ(wrong, 0);
  return check_report();
}

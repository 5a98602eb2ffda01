// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that exchange with partners (`i ^ k`): a sorting network and a Walsh-Hadamard transform, in shared memory and
// in global memory, in blocks of whole warps and others, from places that are aligned and that are not; and those that
// read what stands a distance in front of them (`if (i >= k) a[i - k]`).
// covers: C-5.4.1.3-01
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <algorithm>
#include <vector>

/// Sorts blockDim.x numbers, a power of two.
__global__ void sort(int *data) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x;
  s[t] = data[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k *= 2) {
    for (unsigned j = k / 2; j > 0; j /= 2) {
      unsigned p = t ^ j;
      if (p > t) {
        int a = s[t], b = s[p];
        if ((t & k) == 0 ? a > b : a < b) {
          s[t] = b;
          s[p] = a;
        }
      }
      __syncthreads();
    }
  }
  data[blockIdx.x * blockDim.x + t] = s[t];
}

/// A step of the transform, of most of the threads.
__global__ void transform(const float *in, float *out, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, p = i ^ k;
  if (i < n && i % 7 != 3) {
    out[i] = (i & k) != 0 ? in[p] - in[i] : in[i] + in[p];
  }
}

/// Each takes its value to its partner's place.
__global__ void swap(const float *in, float *out, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i ^ k] = in[i];
  }
}

__global__ void add_shifted(const float *in, float *out, int n, int k) {
  extern __shared__ float row[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  row[t] = i < n ? in[i] : 0;
  __syncthreads();
  float sum = row[t];
  if (t >= k) {
    sum += row[t - k];
  }
  if (i < n && i >= k) {
    sum += in[i - k];
  }
  if (i < n) {
    out[i] = sum;
  }
}

int main() {
  constexpr int kNumbers = 1 << 12;
  float *in, *out;
  int *data;
  REQUIRE_CUDA(cudaMallocManaged(&in, 2 * kNumbers * sizeof *in));
  REQUIRE_CUDA(cudaMallocManaged(&out, 2 * kNumbers * sizeof *out));
  REQUIRE_CUDA(cudaMallocManaged(&data, kNumbers * sizeof *data));
  for (int threads : {16, 32, 128, 1024}) {
    for (int i = 0; i < kNumbers; i++) {
      data[i] = i * 7919 % 4093 - 2000;
    }
    std::vector<int> sorted(data, data + kNumbers);
    for (int i = 0; i < kNumbers; i += threads) {
      std::sort(sorted.begin() + i, sorted.begin() + i + threads);
    }
    sort<<<kNumbers / threads, threads, threads * sizeof *data>>>(data);
    CHECK_CUDA(cudaDeviceSynchronize());
    CHECK(std::equal(sorted.begin(), sorted.end(), data));
  }
  for (int i = 0; i < 2 * kNumbers; i++) {
    in[i] = static_cast<float>(i * 31 % 101);
  }
  for (int threads : {32, 48, 96, 256}) {
    for (int k : {1, 5, 16, 31, 32, 33, 100, 1024}) {
      for (int from : {0, 3}) {
        const int n = kNumbers - 64, blocks = (n + threads - 1) / threads;
        std::fill(out, out + 2 * kNumbers, -1.0f);
        transform<<<blocks, threads>>>(in + from, out, n, k);
        CHECK_CUDA(cudaDeviceSynchronize());
        bool good = true;
        for (int i = 0; i < 2 * kNumbers; i++) {
          float mine = in[from + (i < n ? i : 0)], other = in[from + (i < n ? i ^ k : 0)];
          float expected = i >= n || i % 7 == 3 ? -1 : (i & k) != 0 ? other - mine : mine + other;
          good &= out[i] == expected;
        }
        CHECK(good);
        std::fill(out, out + 2 * kNumbers, -1.0f);
        swap<<<blocks, threads>>>(in + from, out + from, n, k);
        add_shifted<<<blocks, threads, threads * sizeof *in>>>(in + from, out + kNumbers + 64, n, k);
        CHECK_CUDA(cudaDeviceSynchronize());
        std::vector<float> swapped(kNumbers + 64, -1.0f);
        for (int i = 0; i < n; i++) {
          swapped[from + (i ^ k)] = in[from + i];
        }
        CHECK(std::equal(swapped.begin(), swapped.end(), out));
        good = true;
        for (int i = 0; i < n; i++) {
          float expected = in[from + i] + (i % threads >= k ? in[from + i - k] : 0) + (i >= k ? in[from + i - k] : 0);
          good &= out[kNumbers + 64 + i] == expected;
        }
        CHECK(good);
      }
    }
  }
  CHECK_CUDA(cudaFree(in));
  CHECK_CUDA(cudaFree(out));
  CHECK_CUDA(cudaFree(data));
  return check_report();
}

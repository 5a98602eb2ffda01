// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batcher's odd-even merge sort: two loops inside one another with barriers in both, around which numbers are handed from
// turn to turn. mcc never came to an end with it: what it keeps across a barrier it followed round and round the loops.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

constexpr unsigned kSize = 512;

__device__ void order(unsigned &a, unsigned &b, bool up) {
  if ((a > b) == up) {
    unsigned t = a;
    a = b;
    b = t;
  }
}

__global__ void sort(unsigned *keys, const unsigned *values, unsigned size, bool up) {
  __shared__ unsigned s[kSize];
  s[threadIdx.x] = keys[threadIdx.x] ^ values[threadIdx.x];
  s[threadIdx.x + kSize / 2] = keys[threadIdx.x + kSize / 2] ^ values[threadIdx.x + kSize / 2];
  for (unsigned run = 2; run <= size; run *= 2) {
    unsigned stride = run / 2, offset = threadIdx.x & (stride - 1);
    {
      __syncthreads();
      unsigned at = 2 * threadIdx.x - offset;
      order(s[at], s[at + stride], up);
      stride /= 2;
    }
    for (; stride > 0; stride /= 2) {
      __syncthreads();
      unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (offset >= stride) {
        order(s[at - stride], s[at], up);
      }
    }
  }
  __syncthreads();
  keys[threadIdx.x] = s[threadIdx.x];
  keys[threadIdx.x + kSize / 2] = s[threadIdx.x + kSize / 2];
}

int main() {
  unsigned *keys, *values;
  CHECK_CUDA(cudaMallocManaged(&keys, kSize * sizeof(unsigned)));
  CHECK_CUDA(cudaMallocManaged(&values, kSize * sizeof(unsigned)));
  for (bool up : {true, false}) {
    unsigned long long sum = 0, sorted = 0;
    for (unsigned i = 0; i < kSize; i++) {
      keys[i] = i * 2654435761u;
      values[i] = i * i;
      sum += keys[i] ^ values[i];
    }
    sort<<<1, kSize / 2>>>(keys, values, kSize, up);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (unsigned i = 0; i < kSize; i++) {
      sorted += keys[i];
      CHECK(i == 0 || (up ? keys[i - 1] <= keys[i] : keys[i - 1] >= keys[i]));
    }
    CHECK_EQ(sorted, sum);
  }
  CHECK_CUDA(cudaFree(keys));
  CHECK_CUDA(cudaFree(values));
  return check_report();
}

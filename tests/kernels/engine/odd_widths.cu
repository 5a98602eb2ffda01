// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of which the compiler needs ten bits only, kept while lanes run one after the other (the loop watches a
// volatile variable, so that it might wait).
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__host__ __device__ unsigned one(const int *in, int thread, int n) {
  unsigned sum = 0;
  unsigned short v = static_cast<unsigned short>(thread);
  for (int i = 0; i < (thread & 1); i++) {
    for (int k = 0; k < n; k++) {
      unsigned row = 0;
      const int end = v % ((v & 1023) + 1) - 2;
      for (int j = 0; j < end; j++) {
        const int c = in[j & 1023];
        if (c % 7 == 1) {
          break;
        }
        row += static_cast<unsigned>(in[c & 1023]) * 3u + static_cast<unsigned>(j);
      }
      sum += row;
    }
    v = static_cast<unsigned short>(v + 250);
    volatile unsigned short watched = v;
    sum ^= watched;
  }
  return sum;
}

__global__ void all(const int *in, unsigned *out, int n) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = one(in, thread, n);
}

int main() {
  int *in;
  unsigned *out;
  REQUIRE_CUDA(cudaMallocManaged(&in, 1024 * sizeof(int)));
  REQUIRE_CUDA(cudaMallocManaged(&out, 2048 * sizeof(unsigned)));
  unsigned seed = 12345;
  for (int i = 0; i < 1024; i++) {
    seed = seed * 1664525u + 1013904223u;
    in[i] = static_cast<int>(seed >> 8) % 1000 - 300;
  }
  all<<<16, 128>>>(in, out, 5);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 2048; i++) {
    CHECK_EQ(out[i], one(in, i, 5));
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division never traps: x / 0 is all ones, x % 0 too, INT_MIN / -1 wraps; and right everywhere else.
// covers: C-5.5.1-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include <limits.h>

#include "check.h"

__global__ void divide(int *out, int a, int zero, int least, int minus_one, long long wide, long long wide_zero) {
  out[0] = a / zero;
  out[1] = a % zero;
  out[2] = least / minus_one;
  out[3] = least % minus_one;
  out[4] = (unsigned)a / (unsigned)zero;
  out[5] = (int)(wide / wide_zero);
  out[6] = (unsigned)a % (unsigned)zero;
  out[7] = -a / 2;
  out[8] = -a % 2;
}

__global__ void wide(unsigned long long *out, __int128 a, __int128 b) {
  __int128 c = a * b + 1;
  __int128 d = c / b;
  out[0] = (unsigned long long)c;
  out[1] = (unsigned long long)(c >> 64);
  out[2] = (unsigned long long)(d >> 64);
}

int main() {
  int *out;
  unsigned long long *words;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64));
  REQUIRE_CUDA(cudaMallocManaged(&words, 64));
  divide<<<1, 1>>>(out, 7, 0, INT_MIN, -1, 5, 0);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[] = {-1, -1, INT_MIN, 0, -1, -1, -1, -3, -1};
  for (int i = 0; i < 9; ++i) {
    CHECK_EQ(out[i], expected[i]);
  }
  wide<<<1, 1>>>(words, (__int128)1 << 70, 12345);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(words[0], 1ull);
  CHECK_EQ(words[1], 12345ull << 6);
  CHECK_EQ(words[2], 64ull);
  return check_report();
}

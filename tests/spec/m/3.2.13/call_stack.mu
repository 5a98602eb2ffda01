// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion in device code, the stack limit, and the report when the stack is too small.
// gpu: no (about reports of the CPU driver)
// RUN: %mcc %s -o %t && %run %t 2>&1 | %FileCheck %s
// covers: M-3.2.13-01 C-5.3.10.5-01
#include "check.h"

__device__ __noinline__ long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ int deep(int n, volatile int *sink) {
  volatile char room[256];
  room[n % 256] = n;
  *sink = room[n % 256];
  return n == 0 ? 0 : 1 + deep(n - 1, sink);
}

__global__ void numbers(long *out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
__global__ void descend(int depth, int *out) { out[0] = deep(depth, out + 1); }

int main() {
  long *out = nullptr;
  int *cell = nullptr;
  CHECK_MUSA(musaMallocManaged(&out, 20 * sizeof(long)));
  CHECK_MUSA(musaMallocManaged(&cell, 2 * sizeof(int)));
  numbers<<<1, 20>>>(out);
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_EQ(out[19], 4181L);

  size_t limit = 0;
  CHECK_MUSA(musaDeviceGetLimit(&limit, musaLimitStackSize));
  CHECK(limit >= 1024);
  CHECK_MUSA(musaDeviceSetLimit(musaLimitStackSize, 256 * 1024));
  CHECK_MUSA(musaDeviceGetLimit(&limit, musaLimitStackSize));
  CHECK(limit >= 256 * 1024);
  descend<<<1, 1>>>(400, cell);
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_EQ(cell[0], 400);

  // Far more than any limit set here.
  // CHECK: descend
  descend<<<1, 1>>>(100000000, cell);
  CHECK(musaDeviceSynchronize() != musaSuccess);
  // CHECK: passed
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and differences of pointers to void count bytes; programs were refused with "arithmetic on a pointer to void".
// RUN: %mcc %s -o %t 2>&1 | %FileCheck %s && %run %t
// RUN: %mcc -w %s -o %t 2>&1 | count 0
// covers: C-5.3-01
#include "check.h"

template <typename Count> __host__ __device__ long walk(void *start, Count n) {
  void *p = start;
// CHECK: void_pointers.cu:[[@LINE+1]]:{{[0-9]+}}: warning: arithmetic on a pointer to void counts bytes
  p = p + n;
  p = 2 + p;
  p += n;
  p -= 1;
  ++p;
  p++;
  --p;
  const void *volatile last = p--;
  return (last - start) * 100 + (static_cast<char *>(p) - static_cast<char *>(start));
}
__global__ void kernel(char *memory, long *out) {
  long *values = (long *)((void *)memory + 8 * threadIdx.x);
  out[threadIdx.x] = walk(memory, threadIdx.x) + *values;
}

int main() {
  char *memory;
  long *out;
  CHECK_CUDA(cudaMallocManaged(&memory, 8 * 64));
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(long)));
  for (int i = 0; i < 64; ++i) {
    reinterpret_cast<long *>(memory)[i] = 1000000L * i;
  }
  kernel<<<1, 64>>>(memory, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    long last = 2 * i + 2 - 1 + 1;
    CHECK_EQ(out[i], last * 100 + last - 1 + 1000000L * i);
    CHECK_EQ(walk(memory, i), last * 100 + last - 1);
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of every kind and type.
// covers: C-5.4.5.1-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__global__ void all(float *f, double *d, int *i, unsigned *u, unsigned long long *wide) {
  int t = threadIdx.x;
  atomicAdd(f, 1.5f);
  atomicExch(f + 1, 3.f);
  atomicAdd(d, 2.5);
  atomicMax(i, t);
  atomicMin(i + 1, t);
  atomicSub(i + 2, 2);
  atomicInc(u, 9);
  atomicDec(u + 1, 9);
  atomicXor(u + 2, 1u << (t & 31));
  atomicOr(u + 3, 1u << (t & 31));
  atomicAnd(u + 4, ~(1u << (t & 31)));
  atomicAdd(wide, 1ull << 33);
  atomicCAS(wide + 1, 0ull, 5ull);
  atomicMax(wide + 2, (unsigned long long)t << 40);
}

/// Float maximum by compare and swap.
__global__ void by_hand(int *bits, const float *in) {
  float value = in[threadIdx.x];
  int old = *bits, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= value) {
      break;
    }
    old = atomicCAS(bits, assumed, __float_as_int(value));
  } while (old != assumed);
}

int main() {
  char *p;
  REQUIRE_CUDA(cudaMallocManaged(&p, 4096));
  memset(p, 0, 4096);
  float *f = (float *)p;
  double *d = (double *)(p + 64);
  int *i = (int *)(p + 128);
  unsigned *u = (unsigned *)(p + 192);
  unsigned long long *wide = (unsigned long long *)(p + 256);
  i[1] = 1000;
  u[4] = ~0u;
  all<<<4, 128>>>(f, d, i, u, wide);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(f[0], 768.f);
  CHECK_EQ(f[1], 3.f);
  CHECK_EQ(d[0], 1280.0);
  CHECK_EQ(i[0], 127);
  CHECK_EQ(i[1], 0);
  CHECK_EQ(i[2], -1024);
  CHECK_EQ(u[0], 512u % 10);
  CHECK_EQ(u[1], (10u - 512u % 10) % 10);
  CHECK_EQ(u[2], 0u);
  CHECK_EQ(u[3], ~0u);
  CHECK_EQ(u[4], 0u);
  CHECK_EQ(wide[0], 512ull << 33);
  CHECK_EQ(wide[1], 5ull);
  CHECK_EQ(wide[2], 127ull << 40);
  float *in = (float *)(p + 1024);
  for (int k = 0; k < 128; ++k) {
    in[k] = (float)((k * 53) % 128);
  }
  by_hand<<<1, 128>>>(i + 8, in);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(i[8], 0x42fe0000);
  return check_report();
}

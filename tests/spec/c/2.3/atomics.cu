// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates from many blocks, on global and on shared memory: none is lost.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.2.1.1-02 B-6-04
#include "check.h"

struct Cells {
  int added;
  unsigned subtracted;
  unsigned long long wide;
  float single;
  double twice;
  int least, most;
  unsigned all, any, odd;
  unsigned wrapped, down;
  int swapped;
  int histogram[16];
};

__device__ double add_by_compare(double *where, double value) {
  unsigned long long *bits = (unsigned long long *)where;
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void update(Cells *c) {
  __shared__ int bins[16];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 16) {
    bins[threadIdx.x] = 0;
  }
  __syncthreads();
  atomicAdd(&c->added, 2);
  atomicSub(&c->subtracted, 1u);
  atomicAdd(&c->wide, 1ull << 32);
  atomicAdd(&c->single, 0.5f);
  add_by_compare(&c->twice, 0.25);
  atomicMin(&c->least, -i);
  atomicMax(&c->most, i);
  atomicAnd(&c->all, ~(1u << (i % 8)));
  atomicOr(&c->any, 1u << (i % 32));
  atomicXor(&c->odd, 1u << (i % 32));
  atomicInc(&c->wrapped, 9);
  atomicDec(&c->down, 9);
  atomicExch(&c->swapped, 7);
  atomicAdd(&bins[i % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) {
    atomicAdd(&c->histogram[threadIdx.x], bins[threadIdx.x]);
  }
}

int main() {
  const int blocks = 40, block = 96, n = blocks * block;
  Cells *c = nullptr;
  CHECK_CUDA(cudaMallocManaged(&c, sizeof(Cells)));
  *c = Cells{};
  c->all = ~0u;
  update<<<blocks, block>>>(c);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(c->added, 2 * n);
  CHECK_EQ(c->subtracted, 0u - n);
  CHECK_EQ(c->wide, (unsigned long long)n << 32);
  CHECK_EQ(c->single, 0.5f * n);
  CHECK_EQ(c->twice, 0.25 * n);
  CHECK_EQ(c->least, 1 - n);
  CHECK_EQ(c->most, n - 1);
  CHECK_EQ(c->all, ~0xffu);
  CHECK_EQ(c->any, ~0u);
  CHECK_EQ(c->odd, 0u);  // an even number for each bit
  CHECK_EQ(c->wrapped, (unsigned)n % 10);
  CHECK_EQ(c->down, (10 - (unsigned)n % 10) % 10);
  CHECK_EQ(c->swapped, 7);
  for (int bin : c->histogram) {
    CHECK_EQ(bin, n / 16);
  }
  CHECK_CUDA(cudaFree(c));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an address is of, asked for another one in each lane.
// RUN: %mcc -O3 %s -o %t && %run %t
// RUN: env HELICON_ENGINE= HELICON_LOG=engine %t 2>&1 | %FileCheck %s
#include "check.h"

__constant__ int fixed[4];

__device__ int kind(const void *p) {
  return (__isGlobal(p) ? 1 : 0) + (__isShared(p) ? 2 : 0) + (__isLocal(p) ? 4 : 0) + (__isConstant(p) ? 8 : 0);
}

// CHECK: kernel=kinds{{.*}} engine=warp
__global__ void kinds(int *out, int shift) {
  __shared__ int cells[64];
  int own[2] = {shift, shift + 1};
  int t = threadIdx.x, which = (t + shift) % 4;
  cells[t] = t;
  const int *p = which == 0 ? out + t : which == 1 ? cells + t : which == 2 ? own + t % 2 : fixed + t % 4;
  out[t] = kind(p);
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  for (int shift = 0; shift < 5; shift++) {
    kinds<<<1, 64>>>(out, shift);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int t = 0; t < 64; t++) {
      CHECK_EQ(out[t], 1 << (t + shift) % 4);
    }
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special registers, also through the inline assembly that programs use for them.
// covers: C-5.4.2.2-01 C-5.4.6.1-01 C-5.4.8.5-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__global__ void look(long long *out) {
  int t = threadIdx.x;
  unsigned lane, sm, below, warp;
  long long start = clock64();
  __nanosleep(1000);
  asm volatile("mov.u32 %0, %laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%smid;" : "=r"(sm));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm volatile("" ::: "memory");
  if (t == 39) {
    out[0] = clock64() - start;
    out[1] = lane;
    out[2] = below;
    out[3] = warp;
    out[4] = sm < 100000;
  }
  unsigned active = __activemask();
  if (t < 5) {
    out[5] = __activemask();
  }
  out[6] = active;
}

int main() {
  long long *out;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64));
  look<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(out[0] > 0);
  CHECK_EQ(out[1], 7);
  CHECK_EQ(out[2], 127);
  CHECK_EQ(out[3], 1);
  CHECK_EQ(out[4], 1);
  CHECK_EQ(out[5], 31);
  CHECK_EQ(out[6], 0xffffffffll);
  return check_report();
}

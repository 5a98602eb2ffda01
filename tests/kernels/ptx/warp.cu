// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp instructions of inline PTX, with the predicate results and in the bodies that CUB has.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdint>

typedef uint32_t u32;

// An inclusive sum over the lanes: a shuffle whose predicate guards the addition.
__device__ u32 scan_step(u32 value, u32 distance) {
  u32 output;
  asm volatile("{"
               "  .reg .u32 r0;"
               "  .reg .pred p;"
               "  shfl.sync.up.b32 r0|p, %1, %2, %3, %4;"
               "  @p add.u32 r0, r0, %5;"
               "  mov.u32 %0, r0;"
               "}"
               : "=r"(output)
               : "r"(value), "r"(distance), "r"(0), "r"(0xffffffff), "r"(value));
  return output;
}

__global__ void scan(u32 *out) {
  u32 value = threadIdx.x + 1;
  for (u32 d = 1; d < 32; d *= 2) value = scan_step(value, d);
  out[threadIdx.x] = value;
}

__global__ void exchange(u32 *out) {
  u32 lane = threadIdx.x % 32, r[8];
  asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(r[0]) : "r"(lane * 3));
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x181f, 0xffffffff;" : "=r"(r[1]) : "r"(lane), "r"(3));  // segments of 8
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 7; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(r[2]) : "r"(lane));
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 7; vote.sync.any.pred q, !p, 0xffffffff; selp.u32 %0, 1, 0, q; }" : "=r"(r[3]) : "r"(lane));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r[4]) : "r"(lane % 3));
  asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(r[5]) : "r"((int)lane - 40));
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(r[6]));
  asm volatile("{ .reg .pred p; .reg .b32 m; match.all.sync.b32 m|p, %1, 0xffffffff; selp.u32 %0, m, 9, p; }" : "=r"(r[7]) : "r"(lane / 32));
  for (int i = 0; i < 8; ++i) out[i * blockDim.x + threadIdx.x] = r[i];
}

__global__ void diverged(u32 *out) {
  u32 mask = 0;
  if (threadIdx.x % 4 == 1) {
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    asm volatile("bar.warp.sync %0;" ::"r"(0x22222222) : "memory");
    u32 sum;
    asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(sum) : "r"(threadIdx.x), "r"(0x22222222));
    mask = (mask & ~0x22222222u) == 0 && sum == 1 + 5 + 9 + 13 + 17 + 21 + 25 + 29;
  }
  out[threadIdx.x] = mask;
}

int main() {
  u32 *out;
  cudaMallocManaged(&out, 8 * 64 * 4);
  scan<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 32; ++i) CHECK_EQ(out[i], (i + 1) * (i + 2) / 2);
  exchange<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 t = 0; t < 64; ++t) {
    u32 lane = t % 32, same = 0;
    for (u32 i = 0; i < 32; ++i) same |= u32(i % 3 == lane % 3) << i;
    CHECK_EQ(out[t], (lane ^ 5) * 3);
    CHECK_EQ(out[64 + t], lane / 8 * 8 + 3);
    CHECK_EQ(out[128 + t], 0x7fu);
    CHECK_EQ(out[192 + t], 1u);
    CHECK_EQ(out[256 + t], same);
    CHECK_EQ((int)out[320 + t], -9);
    CHECK_EQ(out[384 + t], u32(lane == 0));
    CHECK_EQ(out[448 + t], 0xffffffffu);
  }
  diverged<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 32; ++i) CHECK_EQ(out[i], u32(i % 4 == 1));
  return check_report();
}

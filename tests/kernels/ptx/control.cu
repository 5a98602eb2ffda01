// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards, labels and loops, scopes, carry chains within and between statements, special registers, named barriers.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdint>

typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

// Collatz steps, in a loop of the assembly with lanes that leave at different times.
__global__ void collatz(u32 *out) {
  u32 n = threadIdx.x + 1, steps;
  asm("{\n"
      "  .reg .pred done, odd;\n"
      "  .reg .u32 x, t<2>;\n"
      "  mov.u32 x, %1;\n"
      "  mov.u32 %0, 0;\n"
      "LOOP_%=:\n"
      "  setp.eq.u32 done, x, 1;\n"
      "  @done bra END_%=;\n"
      "  and.b32 t0, x, 1;\n"
      "  setp.ne.u32 odd, t0, 0;\n"
      "  shr.u32 t1, x, 1;\n"
      "  @odd mad.lo.u32 t1, x, 3, 1;\n"
      "  mov.u32 x, t1;\n"
      "  add.u32 %0, %0, 1;\n"
      "  bra LOOP_%=;\n"
      "END_%=:\n"
      "}"
      : "=r"(steps)
      : "r"(n));
  out[threadIdx.x] = steps;
}

// 128-bit sums and products of 64-bit words, the flag in one statement.
__global__ void wide(u64 *out, u64 a, u64 b, u64 c, u64 d) {
  asm("add.cc.u64 %0, %2, %4;\n\taddc.u64 %1, %3, %5;" : "=l"(out[0]), "=l"(out[1]) : "l"(a), "l"(b), "l"(c), "l"(d));
  asm("sub.cc.u64 %0, %2, %4;\n\tsubc.u64 %1, %3, %5;" : "=l"(out[2]), "=l"(out[3]) : "l"(a), "l"(b), "l"(c), "l"(d));
  asm("mad.lo.cc.u64 %0, %2, %3, %4;\n\tmadc.hi.u64 %1, %2, %3, 0;" : "=l"(out[4]), "=l"(out[5]) : "l"(a), "l"(c), "l"(d));
}

// The flag goes from statement to statement, as big-integer libraries have it.
__device__ __forceinline__ u32 add_cc(u32 a, u32 b) { u32 r; asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 addc_cc(u32 a, u32 b) { u32 r; asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ __noinline__ u32 addc(u32 a, u32 b) { u32 r; asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__global__ void chain(u32 *out, const u32 *a, const u32 *b) {
  out[0] = add_cc(a[0], b[0]);
  out[1] = addc_cc(a[1], b[1]);
  out[2] = addc_cc(a[2], b[2]);
  out[3] = addc(a[3], b[3]);
}

__global__ void registers(u32 *out) {
  u32 tid, lane, lt, size, cta;
  u64 clock;
  asm("mov.u32 %0, %%tid.x;" : "=r"(tid));
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, WARP_SZ;" : "=r"(size));
  asm volatile("mov.u64 %0, %clock64;" : "=l"(clock));
  asm("mov.u32 %0, %ctaid.x;" : "=r"(cta));
  bool good = tid == threadIdx.x && lane == threadIdx.x % 32 && lt == (1u << lane) - 1 && size == 32 && cta == blockIdx.x && clock != 0;
  out[blockIdx.x * blockDim.x + threadIdx.x] = good;
}

// Warp 0 gives, warp 1 takes: bar.arrive and bar.sync on one named barrier, then a reduction over the block.
__global__ void meet(u32 *out) {
  __shared__ u32 box[32];
  u32 lane = threadIdx.x % 32, sum = 0, any, count;
  if (threadIdx.x < 32) {
    box[lane] = lane * 3;
    asm volatile("membar.cta;\n\tbar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync %0, 64;" ::"n"(1) : "memory");
    sum = box[31 - lane];
  }
  asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %2, 40; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; bar.red.popc.u32 %1, 0, !p; }"
               : "=r"(any), "=r"(count)
               : "r"(threadIdx.x));
  out[threadIdx.x] = sum + 1000 * any + 10000 * count;
}

__global__ void leave(u32 *out) {
  out[threadIdx.x] = 1;
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 4; @p exit; }" ::"r"(threadIdx.x));
  out[threadIdx.x] = 2;
}

int main() {
  u32 *out;
  cudaMallocManaged(&out, 256 * 4);
  collatz<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 64; ++i) {
    u32 n = i + 1, steps = 0;
    for (; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
    CHECK_EQ(out[i], steps);
  }
  u64 *words;
  cudaMallocManaged(&words, 6 * 8);
  u64 a = 0xfffffffffffffff0, b = 0x123456789abcdef, c = 0x8000000000000011, d = 0xfedcba9876543210;
  wide<<<1, 1>>>(words, a, b, c, d);
  CHECK_CUDA(cudaDeviceSynchronize());
  u128 x = (u128)b << 64 | a, y = (u128)d << 64 | c, sum = x + y, difference = x - y, product = (u128)a * c + d;
  CHECK_EQ(words[0], (u64)sum);
  CHECK_EQ(words[1], (u64)(sum >> 64));
  CHECK_EQ(words[2], (u64)difference);
  CHECK_EQ(words[3], (u64)(difference >> 64));
  CHECK_EQ(words[4], (u64)product);
  CHECK_EQ(words[5], (u64)(product >> 64));

  u32 *left, *right;
  cudaMallocManaged(&left, 16);
  cudaMallocManaged(&right, 16);
  for (int i = 0; i < 4; ++i) {
    left[i] = i == 1 ? 0xffffffff : 0xfffffff0u + i;
    right[i] = i == 1 ? 0 : 0x10;
  }
  chain<<<1, 1>>>(out, left, right);
  CHECK_CUDA(cudaDeviceSynchronize());
  u64 carry = 0;
  for (int i = 0; i < 4; ++i) {
    carry += (u64)left[i] + right[i];
    CHECK_EQ(out[i], (u32)carry);
    carry >>= 32;
  }
  registers<<<2, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) CHECK_EQ(out[i], 1u);
  meet<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 64; ++i) CHECK_EQ(out[i], (i < 32 ? 0 : (63 - i) * 3) + 1000 + 10000 * 63);
  leave<<<1, 8>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 8; ++i) CHECK_EQ(out[i], i > 4 ? 1u : 2u);
  return check_report();
}

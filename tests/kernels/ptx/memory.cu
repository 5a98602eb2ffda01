// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores, atomics and fences of inline PTX: widths, extension, vectors, address spaces, old values, message passing.
// RUN: %mcc %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

typedef uint32_t u32;
typedef uint64_t u64;

__global__ void widths(u32 *out, const unsigned char *bytes) {
  int s;
  u32 u, v[4];
  u64 w[2];
  asm volatile("ld.global.s8 %0, [%1+3];" : "=r"(s) : "l"(bytes));
  asm volatile("ld.global.nc.u8 %0, [%1+3];" : "=r"(u) : "l"(bytes));
  out[0] = (u32)s;
  out[1] = u;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(bytes));
  out[2] = v[0] ^ v[1] ^ v[2] ^ v[3];
  asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(w[0]), "=l"(w[1]) : "l"(bytes) : "memory");
  out[3] = (u32)(w[0] ^ w[0] >> 32 ^ w[1] ^ w[1] >> 32);
  asm volatile("st.global.cs.v2.b16 [%0], {%1, %2};" ::"l"(out + 4), "h"((short)0x1122), "h"((short)0x3344) : "memory");
  asm volatile("st.relaxed.sys.v2.u32 [%0+8], {%1, %2};" ::"l"(out + 4), "r"(5), "r"(6) : "memory");
  asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=r"(u) : "l"(out + 4) : "memory");
  out[5] = u + 1;
}

// Shared memory by its 32-bit address, as cp.async users have it.
__global__ void spaces(u32 *out) {
  __shared__ u32 box[65];
  u32 t = threadIdx.x, address, value, is_shared, is_global;
  box[64] = 0;
  asm("{ .reg .u64 p; cvta.to.shared.u64 p, %1; cvt.u32.u64 %0, p; }" : "=r"(address) : "l"(box));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address + 4 * t), "r"(t * 7) : "memory");
  __syncthreads();
  asm volatile("ld.volatile.shared.u32 %0, [%1 + 4];" : "=r"(value) : "r"(address + 4 * (t ^ 2)));
  asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_shared) : "l"(box));
  asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is_global) : "l"(out));
  out[t] = value;
  if (!is_shared || !is_global || (size_t)address != __cvta_generic_to_shared(box)) out[t] = 0xbad;
}

__global__ void atomics(u32 *cells, u64 *cell64, float *sum, u32 *olds) {
  u32 t = blockIdx.x * blockDim.x + threadIdx.x, old;
  asm volatile("atom.add.relaxed.gpu.u32 %0, [%1], 1;" : "=r"(old) : "l"(cells) : "memory");
  asm volatile("{ .reg .u32 r; atom.global.or.b32 r, [%1], %2; add.u32 %0, r, 0; }" : "=r"(olds[t]) : "l"(olds + 256 + old), "r"(1) : "memory");
  asm volatile("red.global.max.s32 [%0], %1;" ::"l"(cells + 1), "r"((int)t - 100) : "memory");
  asm volatile("red.min.s32 [%0], %1;" ::"l"(cells + 2), "r"((int)t - 100) : "memory");
  asm volatile("atom.global.inc.u32 %0, [%1], 9;" : "=r"(old) : "l"(cells + 3) : "memory");
  asm volatile("atom.acq_rel.gpu.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(cells + 4), "r"(t + 1) : "memory");
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(cells + 5), "r"(old) : "memory");
  asm volatile("red.add.u64 [%0], %1;" ::"l"(cell64), "l"(0x100000001ull) : "memory");
  asm volatile("red.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
  u32 expected, seen;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(cells + 6));
  do {
    expected = seen;
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(seen) : "l"(cells + 6), "r"(expected), "r"(expected * 3 + 1) : "memory");
  } while (seen != expected);
  asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(cells + 7), "r"(0x3c004000) : "memory");
}

// Block 0 writes data, then the flag; the others wait for the flag and must see the data.
__global__ void pass_message(u32 *flag, u32 *data, u32 *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x + 5;
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flag) : "memory");
    return;
  }
  u32 ready;
  do {
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
  } while (ready == 0);
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[threadIdx.x];
}

int main() {
  u32 *out;
  cudaMallocManaged(&out, 1024 * 4);
  unsigned char *bytes;
  cudaMallocManaged(&bytes, 16);
  for (int i = 0; i < 16; ++i) bytes[i] = (unsigned char)(i * 61 + 17);
  widths<<<1, 1>>>(out, bytes);
  CHECK_CUDA(cudaDeviceSynchronize());
  u32 words[4];
  memcpy(words, bytes, 16);
  CHECK_EQ((int)out[0], (int)(signed char)bytes[3]);
  CHECK_EQ(out[1], (u32)bytes[3]);
  CHECK_EQ(out[2], words[0] ^ words[1] ^ words[2] ^ words[3]);
  CHECK_EQ(out[3], words[0] ^ words[1] ^ words[2] ^ words[3]);
  CHECK_EQ(out[4], 0x33441122u);
  CHECK_EQ(out[5], 0x33441123u);
  CHECK_EQ(out[6], 5u);
  CHECK_EQ(out[7], 6u);

  spaces<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 0; i < 64; ++i) CHECK_EQ(out[i], (i ^ 2) == 63 ? 0 : ((i ^ 2) + 1) * 7);

  u64 *cell64;
  float *sum;
  u32 *cells;
  cudaMallocManaged(&cells, 64);
  cudaMallocManaged(&cell64, 8);
  cudaMallocManaged(&sum, 4);
  memset(cells, 0, 64);
  memset(out, 0, 4096);
  cells[2] = 1000;
  *cell64 = 0;
  *sum = 0;
  atomics<<<4, 64>>>(cells, cell64, sum, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cells[0], 256u);
  for (int i = 0; i < 256; ++i) CHECK_EQ(out[256 + i], 1u);  // each old value was given once
  CHECK_EQ((int)cells[1], 155);
  CHECK_EQ((int)cells[2], -100);
  CHECK_EQ(cells[3], 256u % 10);
  CHECK_EQ(cells[5] + cells[4], 256u * 257 / 2);
  CHECK_EQ(*cell64, 256 * 0x100000001ull);
  CHECK_EQ(*sum, 128.f);
  u32 power = 0;
  for (int i = 0; i < 256; ++i) power = power * 3 + 1;
  CHECK_EQ(cells[6], power);
  CHECK_EQ(cells[7], 0x5c006000u);

  memset(out, 0, 4096);
  pass_message<<<4, 64>>>(cells + 8, out, out + 256);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (u32 i = 64; i < 256; ++i) CHECK_EQ(out[256 + i], i % 64 + 5);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of inline PTX in other implementations.
// report: spectral-compute/scale-validation#26, spectral-compute/scale-validation#39, spectral-compute/scale-validation#42
// report: gpuocelot/gpuocelot#29, llvm/llvm-project#201165, vosen/ZLUDA#335, vosen/ZLUDA#196, gpgpu-sim/gpgpu-sim_distribution#103
// report: gtcasl/gpuocelot#81
// RUN: %mcc -O3 %s -o %t && %run %t
// RUN: %mcc -ftz=true %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <math.h>
#include <stdint.h>

// github.com/spectral-compute/scale-validation/issues/26: to the nearest even, saturated, NaN is 0
__global__ void to_int(const float *x, int *out) {
  asm("cvt.rni.sat.s32.f32 %0, %1;" : "=r"(out[threadIdx.x]) : "f"(x[threadIdx.x]));
}

// github.com/spectral-compute/scale-validation/issues/39: branches and labels
__global__ void branch(int *out) {
  int r = threadIdx.x;
  asm volatile("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %0, 5;\n\t@p bra SMALL;\n\tmul.lo.s32 %0, %0, 10;\n\tbra DONE;\n"
               "SMALL:\n\tadd.s32 %0, %0, 100;\nDONE:\n\t}"
               : "+r"(r));
  out[threadIdx.x] = r;
}

// github.com/spectral-compute/scale-validation/issues/42: bar.sync 0 is __syncthreads()
__global__ void barrier(int *out) {
  __shared__ int box[64];
  box[threadIdx.x] = threadIdx.x;
  asm volatile("bar.sync 0;" ::: "memory");
  out[threadIdx.x] = box[63 - threadIdx.x];
}

// github.com/gpuocelot/gpuocelot/issues/29, github.com/llvm/llvm-project/pull/201165: shifts by the width or more
__global__ void shifts(unsigned count, uint64_t *out) {
  unsigned left, right, low;
  uint64_t up, down;
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(left) : "r"(0x11111111), "r"(0x22222222), "r"(count));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(right) : "r"(0x11111111), "r"(0x22222222), "r"(count));
  asm("shl.b32 %0, %1, %2;" : "=r"(low) : "r"(3), "r"(count));
  asm("{ .reg .pred p; setp.lt.u32 p, %2, 64; shl.b64 %0, %1, %2; @!p mov.u64 %0, 0; }" : "=l"(up) : "l"(5ll), "r"(count));
  asm("shr.s64 %0, %1, %2;" : "=l"(down) : "l"(-8ll), "r"(count));
  out[0] = left;
  out[1] = right;
  out[2] = low;
  out[3] = up;
  out[4] = down;
}

// github.com/vosen/ZLUDA/issues/335: .ftz flushes operands and results, its absence keeps them
__global__ void flush(float x, float y, float *out) {
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(out[0]) : "f"(x), "f"(y));
  asm("mul.f32 %0, %1, %2;" : "=f"(out[1]) : "f"(x), "f"(y));
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(out[2]) : "f"(-x * y), "f"(1e30f));
}

// github.com/vosen/ZLUDA/pull/196, github.com/gpgpu-sim/gpgpu-sim_distribution/issues/106: mad.hi.cc, addc and madc.hi.u32
__global__ void product(unsigned a0, unsigned a1, unsigned b, unsigned *out) {
  asm("mul.lo.u32 %0, %3, %5;\n\tmad.lo.cc.u32 %1, %4, %5, 0;\n\tmadc.hi.u32 %2, %4, %5, 0;\n\t"
      "mad.hi.cc.u32 %1, %3, %5, %1;\n\taddc.u32 %2, %2, 0;"
      : "=&r"(out[0]), "=&r"(out[1]), "=&r"(out[2])
      : "r"(a0), "r"(a1), "r"(b));
}

// github.com/gtcasl/gpuocelot/issues/81: a compare-and-swap that succeeds stores
__global__ void swap(unsigned *cell, unsigned *old) {
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(*old) : "l"(cell), "r"(7), "r"(9) : "memory");
}

int main() {
  float *x;
  int *out;
  uint64_t *wide;
  cudaMallocManaged(&x, 64);
  cudaMallocManaged(&out, 256);
  cudaMallocManaged(&wide, 64);
  const float values[] = {2.5f, 3.5f, -0.5f, 3e9f, -3e9f, NAN, INFINITY, 0.49999997f};
  const int rounded[] = {2, 4, 0, 0x7fffffff, (int)0x80000000, 0, 0x7fffffff, 0};
  for (int i = 0; i < 8; ++i) x[i] = values[i];
  to_int<<<1, 8>>>(x, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) CHECK_EQ(out[i], rounded[i]);

  branch<<<1, 10>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 10; ++i) CHECK_EQ(out[i], i < 5 ? i + 100 : i * 10);

  barrier<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) CHECK_EQ(out[i], 63 - i);

  for (unsigned count : {0u, 1u, 31u, 32u, 33u, 63u, 64u, 100u}) {
    shifts<<<1, 1>>>(count, wide);
    CHECK_CUDA(cudaDeviceSynchronize());
    uint64_t pair = 0x2222222211111111;
    CHECK_EQ(wide[0], count >= 32 ? 0x11111111 : (pair << count) >> 32);
    CHECK_EQ(wide[1], count >= 32 ? 0x22222222 : (pair >> count) & 0xffffffff);
    CHECK_EQ(wide[2], count >= 32 ? 0 : uint64_t(3u << count));
    CHECK_EQ(wide[3], count >= 64 ? 0 : uint64_t(5) << count);
    CHECK_EQ((int64_t)wide[4], int64_t(-8) >> (count >= 63 ? 63 : count));
  }

  flush<<<1, 1>>>(1e-20f, 1e-20f, x);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(x[0] == 0 && x[1] == 1e-20f * 1e-20f && x[1] != 0 && x[2] == 0 && signbit(x[2]));

  unsigned *words = (unsigned *)out;
  product<<<1, 1>>>(0xfffffff0u, 0x12345678u, 0xfedcba98u, words);
  CHECK_CUDA(cudaDeviceSynchronize());
  unsigned __int128 exact = (unsigned __int128)0x12345678fffffff0ull * 0xfedcba98u;
  for (int i = 0; i < 3; ++i) CHECK_EQ(words[i], (unsigned)(exact >> (32 * i)));

  words[0] = 7;
  swap<<<1, 1>>>(words, words + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(words[0], 9u);
  CHECK_EQ(words[1], 7u);
  return check_report();
}

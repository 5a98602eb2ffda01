// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt of integers to bfloat16 and half in every rounding mode: rounded once.
// RUN: %mcc -arch=sm_90 %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdlib>
#include <vector>

typedef unsigned short u16;

struct Row {
  u16 of_unsigned[4], of_signed[4], of_narrow[4], half[4];
};

__global__ void convert(Row *out, const unsigned long long *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Row r;
#define ALL(type, to) \
  asm("cvt.rn.bf16." type " %0, %1;" : "=h"(to[0]) : "l"(in[i])); \
  asm("cvt.rz.bf16." type " %0, %1;" : "=h"(to[1]) : "l"(in[i])); \
  asm("cvt.rp.bf16." type " %0, %1;" : "=h"(to[2]) : "l"(in[i])); \
  asm("cvt.rm.bf16." type " %0, %1;" : "=h"(to[3]) : "l"(in[i]));
  ALL("u64", r.of_unsigned)
  ALL("s64", r.of_signed)
  int narrow = static_cast<int>(in[i] >> 32);
  asm("cvt.rn.bf16.s32 %0, %1;" : "=h"(r.of_narrow[0]) : "r"(narrow));
  asm("cvt.rz.bf16.s32 %0, %1;" : "=h"(r.of_narrow[1]) : "r"(narrow));
  asm("cvt.rp.bf16.s32 %0, %1;" : "=h"(r.of_narrow[2]) : "r"(narrow));
  asm("cvt.rm.bf16.s32 %0, %1;" : "=h"(r.of_narrow[3]) : "r"(narrow));
  asm("cvt.rn.f16.s64 %0, %1;" : "=h"(r.half[0]) : "l"(in[i]));
  asm("cvt.rz.f16.s64 %0, %1;" : "=h"(r.half[1]) : "l"(in[i]));
  asm("cvt.rp.f16.s64 %0, %1;" : "=h"(r.half[2]) : "l"(in[i]));
  asm("cvt.rm.f16.s64 %0, %1;" : "=h"(r.half[3]) : "l"(in[i]));
  out[i] = r;
}

/// An integer rounded to `fraction` bits behind the leading one; mode: 0 nearest, 1 to zero, 2 up, 3 down.
u16 rounded(unsigned long long size, bool is_negative, int mode, int fraction, int bias) {
  if (size == 0) return 0;
  int exponent = 63 - __builtin_clzll(size), drop = exponent - fraction;
  unsigned long long kept = size;
  if (drop > 0) {
    unsigned long long rest = size & ((1ull << drop) - 1), middle = 1ull << (drop - 1);
    kept = size >> drop;
    bool nearer = rest > middle || (rest == middle && (kept & 1));
    kept += mode == 0 ? nearer : rest != 0 && mode == (is_negative ? 3 : 2);
  } else {
    kept <<= -drop;
  }
  unsigned pattern = static_cast<unsigned>(kept) + ((exponent + bias - 1) << fraction);
  unsigned infinity = (2 * bias + 1) << fraction;
  if (pattern >= infinity) pattern = mode == 0 || mode == (is_negative ? 3 : 2) ? infinity : infinity - 1;
  return static_cast<u16>(pattern | (is_negative ? 0x8000 : 0));
}

int main() {
  std::vector<unsigned long long> numbers = {0, 1, ~0ull, 1ull << 63, (1ull << 63) - 1};
  for (int shift = 0; shift < 64; ++shift)  // around the middle between two bfloats, at every size
    for (unsigned long long pattern : {0x80ull << 56, 0x81ull << 56, 0x8080ull << 48, 0x8180ull << 48, 0x8080000000000001ull, 0x817fffffffffffffull})
      for (long long next : {-1, 0, 1}) {
        numbers.push_back((pattern >> shift) + next);
        numbers.push_back(0 - (pattern >> shift) + next);
      }
  int n = static_cast<int>(numbers.size());
  unsigned long long *in;
  Row *out;
  CHECK_CUDA(cudaMallocManaged(&in, n * sizeof *in));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof *out));
  std::copy(numbers.begin(), numbers.end(), in);
  convert<<<(n + 63) / 64, 64>>>(out, in, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    unsigned long long u = in[i];
    bool is_negative = u >> 63;
    unsigned long long size = is_negative ? 0 - u : u;
    for (int mode = 0; mode < 4; ++mode) {
      CHECK_EQ(out[i].of_unsigned[mode], rounded(u, false, mode, 7, 127));
      CHECK_EQ(out[i].of_signed[mode], rounded(size, is_negative, mode, 7, 127));
      CHECK_EQ(out[i].of_narrow[mode], rounded(llabs(static_cast<int>(u >> 32)), is_negative, mode, 7, 127));
      CHECK_EQ(out[i].half[mode], rounded(size, is_negative, mode, 10, 15));
    }
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sp of inline PTX in all its types and shapes, against plain loops over the whole matrices.
// RUN: %mcc -arch=sm_90 -std=c++17 %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>
#include <vector>

typedef uint32_t u32;

#define IN2(r) "r"(r[0]), "r"(r[1])
#define IN4(r) IN2(r), "r"(r[2]), "r"(r[3])
#define AT2_2 "{%4, %5}, {%6, %7}"
#define AT4_4 "{%4, %5, %6, %7}, {%8, %9, %10, %11}"
#define E2 "%8"
#define E4 "%12"

/// Every lane has `n` words of A, `n` of B and one of metadata.
#define SPARSE(name, n, form, selector, T, C)                                                                            \
  __global__ void name(const u32 *a, const u32 *b, const u32 *metadata, T *d) {                                          \
    u32 x[n], y[n];                                                                                                      \
    for (int i = 0; i < n; ++i) x[i] = a[n * threadIdx.x + i], y[i] = b[n * threadIdx.x + i];                            \
    T s[4] = {T(1), T(2), T(3), T(4)};                                                                                   \
    asm volatile("mma." form " {%0, %1, %2, %3}, " AT##n##_##n ", {%0, %1, %2, %3}, " E##n ", " selector ";"             \
                 : "+" C(s[0]), "+" C(s[1]), "+" C(s[2]), "+" C(s[3])                                                    \
                 : IN##n(x), IN##n(y), "r"(metadata[threadIdx.x]));                                                      \
    for (int i = 0; i < 4; ++i) d[(threadIdx.x / 4 + i / 2 * 8) * 8 + threadIdx.x % 4 * 2 + i % 2] = s[i];               \
  }
#define SHAPE(k, types) ".sync.aligned.m16n8k" k ".row.col." types
SPARSE(f16_16, 2, "sp::ordered_metadata" SHAPE("16", "f32.f16.f16.f32"), "0x3", float, "f")
SPARSE(f16_32, 4, "sp" SHAPE("32", "f32.f16.f16.f32"), "1", float, "f")
SPARSE(bf16_16, 2, "sp::ordered_metadata" SHAPE("16", "f32.bf16.bf16.f32"), "1", float, "f")
SPARSE(bf16_32, 4, "sp::ordered_metadata" SHAPE("32", "f32.bf16.bf16.f32"), "0", float, "f")
SPARSE(tf32_8, 2, "sp::ordered_metadata" SHAPE("8", "f32.tf32.tf32.f32"), "2", float, "f")
SPARSE(tf32_16, 4, "sp::ordered_metadata" SHAPE("16", "f32.tf32.tf32.f32"), "1", float, "f")
SPARSE(fp8_64, 4, "sp::ordered_metadata" SHAPE("64", "f32.e4m3.e5m2.f32"), "0", float, "f")
SPARSE(s8_32, 2, "sp::ordered_metadata" SHAPE("32", "s32.s8.s8.s32"), "1", int, "r")
SPARSE(u8_s8_64, 4, "sp::ordered_metadata.sync.aligned.m16n8k64.row.col.satfinite.s32.u8.s8.s32", "0", int, "r")
SPARSE(s4_64, 2, "sp::ordered_metadata" SHAPE("64", "s32.s4.u4.s32"), "1", int, "r")
SPARSE(u4_128, 4, "sp::ordered_metadata" SHAPE("128", "s32.u4.s4.s32"), "0", int, "r")

/// Sums of halves come two in a word.
__global__ void f16_sums(const u32 *a, const u32 *b, const u32 *metadata, float *d) {
  u32 x[4], y[4], s[2] = {0x40003c00, 0x44004200};
  for (int i = 0; i < 4; ++i) x[i] = a[4 * threadIdx.x + i], y[i] = b[4 * threadIdx.x + i];
  asm volatile("mma.sp::ordered_metadata" SHAPE("32", "f16.f16.f16.f16") " {%0, %1}, {%2, %3, %4, %5}, {%6, %7, %8, %9}, {%0, %1}, %10, 0;"
               : "+r"(s[0]), "+r"(s[1])
               : IN4(x), IN4(y), "r"(metadata[threadIdx.x]));
  for (int i = 0; i < 4; ++i) {
    d[(threadIdx.x / 4 + i / 2 * 8) * 8 + threadIdx.x % 4 * 2 + i % 2] =
        __half2float(__ushort_as_half(static_cast<unsigned short>(s[i / 2] >> (16 * (i % 2)))));
  }
}

enum Kind { F16, BF16, TF32, E4M3, E5M2, Integer };

/// The bits of a small number.
u32 encode(Kind kind, int value, int bits) {
  const u32 sign = value < 0, size = static_cast<u32>(std::abs(value));
  float real = static_cast<float>(value);
  u32 single;
  memcpy(&single, &real, 4);
  u32 exponent = size == 0 ? 0 : (single >> 23 & 255) - 127, fraction = single & 0x7fffff;
  switch (kind) {
    case F16: return size == 0 ? 0 : sign << 15 | (exponent + 15) << 10 | fraction >> 13;
    case BF16: return single >> 16;
    case TF32: return single;
    case E4M3: return size == 0 ? 0 : sign << 7 | (exponent + 7) << 3 | fraction >> 20;
    case E5M2: return size == 0 ? 0 : sign << 7 | (exponent + 15) << 2 | fraction >> 21;
    default: return static_cast<u32>(value) & ((1u << bits) - 1);
  }
}

u32 seed = 1;
u32 random(u32 below) {
  seed = seed * 1664525 + 1013904223;
  return (seed >> 8) % below;
}

struct Case {
  int k, bits, selector;
  Kind left, right;
  int low_left, low_right;  ///< the least of seven values of each factor
};

template <typename T> void compare(void (*kernel)(const u32 *, const u32 *, const u32 *, T *), const Case &c) {
  const int chunk = c.bits == 32 ? 2 : c.bits == 4 ? 8 : 4, kept = chunk / 2, chunks = c.k / chunk, steps = c.k * c.bits / 128;
  u32 *a, *b, *metadata;
  T *d;
  for (u32 **p : {&a, &b, &metadata}) CHECK_CUDA(cudaMallocManaged(p, 32 * 4 * 4));
  CHECK_CUDA(cudaMallocManaged(&d, 128 * sizeof(T)));
  memset(a, 0, 512);
  memset(b, 0, 512);
  for (int lane = 0; lane < 32; ++lane) metadata[lane] = random(1 << 24) * 251;  // of lanes that are not asked
  std::vector<int> left(16 * c.k), right(c.k * 8);
  for (int n = 0; n < 8; ++n) {
    for (int k = 0; k < c.k; ++k) {
      int value = right[k * 8 + n] = c.low_right + static_cast<int>(random(7)), at = k * c.bits;
      b[(n * 4 + at / 32 % 4) * steps + at / 128] |= encode(c.right, value, c.bits) << at % 32;
    }
  }
  for (int row = 0; row < 16; ++row) {
    for (int part = 0; part < chunks; ++part) {
      u32 first = random(3), second = first + 1 + random(3 - first);
      u32 names = c.bits == 32 ? (random(2) ? 14 : 4) : first | second << 2;
      bool has_two_rows = c.bits >= 16;
      int lane = row % 8 * 4 + (has_two_rows ? c.selector * chunks / 4 + part / 4 : c.selector * chunks / 4 + part / 8 * 2 + row / 8);
      int shift = has_two_rows ? row / 8 * 16 + part % 4 * 4 : part % 8 * 4;
      metadata[lane] = (metadata[lane] & ~(15u << shift)) | names << shift;
      for (int i = 0; i < kept; ++i) {
        u32 unit = (names >> (i * 2 / kept * 2)) & 3;
        int place = c.bits == 32 ? (names == 14) : c.bits == 4 ? static_cast<int>(2 * unit) + i % 2 : static_cast<int>(unit);
        if (c.bits != 32 && c.bits != 4) place = static_cast<int>(i == 0 ? names & 3 : names >> 2);
        int value = left[row * c.k + part * chunk + place] = c.low_left + static_cast<int>(random(7)), at = (part * kept + i) * c.bits;
        a[(row % 8 * 4 + at / 32 % 4) * steps + at / 128 * 2 + row / 8] |= encode(c.left, value, c.bits) << at % 32;
      }
    }
  }
  kernel<<<1, 32>>>(a, b, metadata, d);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int row = 0; row < 16; ++row) {
    for (int n = 0; n < 8; ++n) {
      int sum = 1 + n % 2 + row / 8 * 2;
      for (int k = 0; k < c.k; ++k) sum += left[row * c.k + k] * right[k * 8 + n];
      CHECK_EQ(d[row * 8 + n], static_cast<T>(sum));
    }
  }
  for (u32 *p : {a, b, metadata}) CHECK_CUDA(cudaFree(p));
  CHECK_CUDA(cudaFree(d));
}

int main() {
  for (int round = 0; round < 8; ++round) {
    compare(f16_16, {16, 16, 3, F16, F16, -3, -3});
    compare(f16_32, {32, 16, 1, F16, F16, -3, -3});
    compare(f16_sums, {32, 16, 0, F16, F16, -3, -3});
    compare(bf16_16, {16, 16, 1, BF16, BF16, -3, -3});
    compare(bf16_32, {32, 16, 0, BF16, BF16, -3, -3});
    compare(tf32_8, {8, 32, 2, TF32, TF32, -3, -3});
    compare(tf32_16, {16, 32, 1, TF32, TF32, -3, -3});
    compare(fp8_64, {64, 8, 0, E4M3, E5M2, -3, -3});
    compare(s8_32, {32, 8, 1, Integer, Integer, -128, -128});
    compare(u8_s8_64, {64, 8, 0, Integer, Integer, 249, -128});
    compare(s4_64, {64, 4, 1, Integer, Integer, -8, 9});
    compare(u4_128, {128, 4, 0, Integer, Integer, 9, -8});
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync of inline PTX with elements of 1, 4, 8 (floating-point) and 64 bits in all their shapes, against plain loops.
// RUN: %mcc -arch=sm_90 %s -o %t && %run %t
#include "check.h"

#include <cmath>
#include <cstdint>
#include <cstring>

typedef uint32_t u32;

#define IN1(r) "r"(r[0])
#define IN2(r) IN1(r), "r"(r[1])
#define IN4(r) IN2(r), "r"(r[2]), "r"(r[3])
#define S2 "{%0, %1}"
#define S4 "{%0, %1, %2, %3}"

/// A row has `steps` parts of four lanes; lane 4g + t holds part t of rows g and g + 8 of A (step by step) and of column g of B.
#define FACTORS(tiles, steps)                                                                   \
  int g = threadIdx.x / 4, t = threadIdx.x % 4;                                                 \
  u32 x[tiles * steps], y[steps];                                                               \
  for (int s = 0; s < steps; ++s) {                                                             \
    for (int r = 0; r < tiles; ++r) x[tiles * s + r] = a[(g + 8 * r) * 4 * steps + 4 * s + t];  \
    y[s] = b[g * 4 * steps + 4 * s + t];                                                        \
  }
#define RESULTS(tiles) \
  for (int i = 0; i < 2 * tiles; ++i) d[(g + i / 2 * 8) * 8 + 2 * t + i % 2] = sum[i];

#define SMALL_KERNEL(name, instruction, T)                                                                      \
  __global__ void name(const u32 *a, const u32 *b, T *d, T start) {                                             \
    FACTORS(1, 1)                                                                                               \
    T sum[2] = {start, start};                                                                                  \
    asm volatile("mma.sync.aligned." instruction " " S2 ", {%2}, {%3}, " S2 ";" : "+r"(sum[0]), "+r"(sum[1]) : IN1(x), IN1(y)); \
    RESULTS(1)                                                                                                  \
  }
#define TALL_KERNEL(name, steps, instruction, T, C, la, lb, na)                                                 \
  __global__ void name(const u32 *a, const u32 *b, T *d, T start) {                                             \
    FACTORS(2, steps)                                                                                           \
    T sum[4] = {start, start, start, start};                                                                    \
    asm volatile("mma.sync.aligned." instruction " " S4 ", " la ", " lb ", " S4 ";"                             \
                 : "+" C(sum[0]), "+" C(sum[1]), "+" C(sum[2]), "+" C(sum[3])                                   \
                 : IN##na(x), IN##steps(y));                                                                    \
    RESULTS(2)                                                                                                  \
  }
#define ONE_STEP(name, instruction, T, C) TALL_KERNEL(name, 1, instruction, T, C, "{%4, %5}", "{%6}", 2)
#define TWO_STEPS(name, instruction, T, C) TALL_KERNEL(name, 2, instruction, T, C, "{%4, %5, %6, %7}", "{%8, %9}", 4)

SMALL_KERNEL(s4_small, "m8n8k32.row.col.s32.s4.s4.s32", int)
ONE_STEP(u4_s4, "m16n8k32.row.col.satfinite.s32.u4.s4.s32", int, "r")
TWO_STEPS(s4_u4, "m16n8k64.row.col.s32.s4.u4.s32", int, "r")
TWO_STEPS(u4, "m16n8k64.row.col.satfinite.s32.u4.u4.s32", int, "r")
SMALL_KERNEL(xor_small, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", int)
ONE_STEP(and_tall, "m16n8k128.row.col.s32.b1.b1.s32.and.popc", int, "r")
TWO_STEPS(xor_tall, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", int, "r")
TWO_STEPS(e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32", float, "f")
TWO_STEPS(e5m2_e4m3, "m16n8k32.row.col.f32.e5m2.e4m3.f32", float, "f")
TWO_STEPS(e5m2, "m16n8k32.row.col.f32.e5m2.e5m2.f32", float, "f")

#define D1(r) "d"(r[0])
#define D2(r) D1(r), "d"(r[1])
#define D4(r) D2(r), "d"(r[2]), "d"(r[3])
#define D8(r) D4(r), "d"(r[4]), "d"(r[5]), "d"(r[6]), "d"(r[7])
#define DOUBLES(name, steps, na, shape, la, lb)                                                                 \
  __global__ void name(const double *a, const double *b, double *d, double start) {                             \
    int g = threadIdx.x / 4, t = threadIdx.x % 4;                                                               \
    double x[2 * steps], y[steps], sum[4] = {start, start, start, start};                                       \
    for (int s = 0; s < steps; ++s) {                                                                           \
      for (int r = 0; r < 2; ++r) x[2 * s + r] = a[(g + 8 * r) * 4 * steps + 4 * s + t];                        \
      y[s] = b[g * 4 * steps + 4 * s + t];                                                                      \
    }                                                                                                           \
    asm volatile("mma.sync.aligned." shape ".row.col.f64.f64.f64.f64 " S4 ", " la ", " lb ", " S4 ";"           \
                 : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])                                       \
                 : D##na(x), D##steps(y));                                                                      \
    RESULTS(2)                                                                                                  \
  }
DOUBLES(double_1, 1, 2, "m16n8k4", "{%4, %5}", "{%6}")
DOUBLES(double_2, 2, 4, "m16n8k8", "{%4, %5, %6, %7}", "{%8, %9}")
DOUBLES(double_4, 4, 8, "m16n8k16", "{%4, %5, %6, %7, %8, %9, %10, %11}", "{%12, %13, %14, %15}")

double element(const void *rows, int row, int k, int length, char kind) {
  auto *bytes = static_cast<const unsigned char *>(rows);
  int at = row * length + k;
  switch (kind) {
    case 's': return static_cast<signed char>((bytes[at / 2] >> (4 * (at % 2)) & 15) << 4) / 16;
    case 'u': return bytes[at / 2] >> (4 * (at % 2)) & 15;
    case 'b': return bytes[at / 8] >> at % 8 & 1;
    case 'd': { double x; memcpy(&x, bytes + 8 * at, 8); return x; }
    default: break;
  }
  int mantissa = kind == '5' ? 2 : 3, bias = kind == '5' ? 15 : 7, bits = bytes[at];
  int e = (bits & 0x7f) >> mantissa, m = bits & ((1 << mantissa) - 1);
  double size = e == 0 ? std::ldexp(m, 1 - bias - mantissa) : std::ldexp((1 << mantissa) + m, e - bias - mantissa);
  return bits & 0x80 ? -size : size;
}

template <typename T> struct Room {
  u32 *a, *b;
  T *d;
  Room() {
    CHECK_CUDA(cudaMallocManaged(&a, 2048));
    CHECK_CUDA(cudaMallocManaged(&b, 2048));
    CHECK_CUDA(cudaMallocManaged(&d, 1024));
  }
};

template <typename T, typename F>
void test(void (*kernel)(const F *, const F *, T *, T), int m, int k, char a_kind, char b_kind, T start, bool differ = false,
          bool saturates = false) {
  static Room<T> room;
  auto *a = reinterpret_cast<unsigned char *>(room.a), *b = reinterpret_cast<unsigned char *>(room.b);
  for (int i = 0; i < 2048; ++i) {
    a[i] = static_cast<unsigned char>(i * 97 + i / 7 + 13);
    b[i] = static_cast<unsigned char>(i * 59 + i / 5 + 101);
    // Of 8-bit numbers those near 1, whose sums are exact.
    if (a_kind == '4' || a_kind == '5') a[i] = static_cast<unsigned char>((a[i] & 0x87) | (a_kind == '4' ? 0x38 : 0x3c));
    if (b_kind == '4' || b_kind == '5') b[i] = static_cast<unsigned char>((b[i] & 0x87) | (b_kind == '4' ? 0x38 : 0x3c));
  }
  if (a_kind == 'd')
    for (int i = 0; i < 256; ++i) {
      double x = (i * 37 + 11) % 19 / 8.0 - 1, y = (i * 29 + 5) % 23 / 4.0 - 2;
      memcpy(a + 8 * i, &x, 8);
      memcpy(b + 8 * i, &y, 8);
    }
  kernel<<<1, 32>>>(reinterpret_cast<const F *>(room.a), reinterpret_cast<const F *>(room.b), room.d, start);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < 8; ++j) {
      double sum = start;
      for (int p = 0; p < k; ++p) {
        double x = element(a, i, p, k, a_kind), y = element(b, j, p, k, b_kind);
        sum += differ ? x != y : x * y;
      }
      if (saturates && sum > 2147483647.0) sum = 2147483647.0;
      CHECK_EQ(room.d[i * 8 + j], static_cast<T>(sum));
    }
}

int main() {
  test(s4_small, 8, 32, 's', 's', 7);
  test(u4_s4, 16, 32, 'u', 's', 2147483600, false, true);
  test(s4_u4, 16, 64, 's', 'u', -9);
  test(u4, 16, 64, 'u', 'u', 2147483600, false, true);
  test(xor_small, 8, 128, 'b', 'b', 3, true);
  test(and_tall, 16, 128, 'b', 'b', 3);
  test(xor_tall, 16, 256, 'b', 'b', -100, true);
  test(e4m3, 16, 32, '4', '4', 0.5f);
  test(e5m2_e4m3, 16, 32, '5', '4', 0.5f);
  test(e5m2, 16, 32, '5', '5', -2.0f);
  test(double_1, 16, 4, 'd', 'd', 0.25);
  test(double_2, 16, 8, 'd', 'd', 0.25);
  test(double_4, 16, 16, 'd', 'd', 0.25);
  return check_report();
}

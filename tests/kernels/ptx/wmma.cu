// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wmma.load, wmma.mma and wmma.store of inline PTX: every shape, type and layout, in global and shared memory, against plain loops.
// report: spectral-compute/scale-validation#44
// RUN: %mcc -arch=sm_80 %s -o %t && %run %t
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstring>

typedef uint32_t u32;

#define OUT1(r) "=r"(r[0])
#define OUT2(r) OUT1(r), "=r"(r[1])
#define OUT4(r) OUT2(r), "=r"(r[2]), "=r"(r[3])
#define OUT8(r) OUT4(r), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
#define IN1(r) "r"(r[0])
#define IN2(r) IN1(r), "r"(r[1])
#define IN4(r) IN2(r), "r"(r[2]), "r"(r[3])
#define IN8(r) IN4(r), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
// Registers %n … of a list of 1, 2, 4, 8.
#define L1(a) "{%" #a "}"
#define L2(a, b) "{%" #a ", %" #b "}"
#define L4(a, b, c, d) "{%" #a ", %" #b ", %" #c ", %" #d "}"
#define L8(a, b, c, d, e, f, g, h) "{%" #a ", %" #b ", %" #c ", %" #d ", %" #e ", %" #f ", %" #g ", %" #h "}"

/// One product: factors from `a` and `b`, sums from `c`, results to `d`; strides in elements. A macro for each number of registers.
#define LOAD8(r, what, p, stride) \
  asm volatile("wmma.load." what " " L8(0, 1, 2, 3, 4, 5, 6, 7) ", [%8], %9;" : OUT8(r) : "l"(p), "r"(stride) : "memory")
#define LOAD4(r, what, p, stride) asm volatile("wmma.load." what " " L4(0, 1, 2, 3) ", [%4], %5;" : OUT4(r) : "l"(p), "r"(stride) : "memory")
#define LOAD2(r, what, p, stride) asm volatile("wmma.load." what " " L2(0, 1) ", [%2], %3;" : OUT2(r) : "l"(p), "r"(stride) : "memory")
#define LOAD1(r, what, p, stride) asm volatile("wmma.load." what " " L1(0) ", [%1], %2;" : OUT1(r) : "l"(p), "r"(stride) : "memory")
#define STORE8(r, what, p, stride) \
  asm volatile("wmma.store." what " [%8], " L8(0, 1, 2, 3, 4, 5, 6, 7) ", %9;" ::IN8(r), "l"(p), "r"(stride) : "memory")
#define STORE4(r, what, p, stride) asm volatile("wmma.store." what " [%4], " L4(0, 1, 2, 3) ", %5;" ::IN4(r), "l"(p), "r"(stride) : "memory")
#define STORE2(r, what, p, stride) asm volatile("wmma.store." what " [%2], " L2(0, 1) ", %3;" ::IN2(r), "l"(p), "r"(stride) : "memory")

struct Arguments {
  const void *a, *b, *c;
  void *d;
  int lda, ldb, ldc, ldd;
};

#define HALVES(shape, al, bl, cl)                                                                                                  \
  __global__ void f16_##shape##al##bl##cl(Arguments p) {                                                                           \
    u32 a[8], b[8], c[8];                                                                                                          \
    LOAD8(a, "a.sync.aligned." #al "." #shape ".global.f16", p.a, p.lda);                                                          \
    LOAD8(b, "b.sync.aligned." #bl "." #shape ".f16", p.b, p.ldb);                                                                 \
    LOAD8(c, "c.sync.aligned." #cl "." #shape ".global.f32", p.c, p.ldc);                                                          \
    asm volatile("wmma.mma.sync.aligned." #al "." #bl "." #shape ".f32.f32 " L8(0, 1, 2, 3, 4, 5, 6, 7) ", "                       \
                 L8(8, 9, 10, 11, 12, 13, 14, 15) ", " L8(16, 17, 18, 19, 20, 21, 22, 23) ", " L8(0, 1, 2, 3, 4, 5, 6, 7) ";"      \
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), "+r"(c[6]), "+r"(c[7])                  \
                 : IN8(a), IN8(b));                                                                                                \
    STORE8(c, "d.sync.aligned." #cl "." #shape ".global.f32", p.d, p.ldd);                                                         \
  }
HALVES(m16n16k16, row, col, row)
HALVES(m16n16k16, col, row, col)
HALVES(m32n8k16, row, row, row)
HALVES(m32n8k16, col, col, col)
HALVES(m8n32k16, row, row, col)
HALVES(m8n32k16, col, col, row)

// Sums of halves in and out, and of both types.
__global__ void f16_sums(Arguments p) {
  __shared__ __align__(32) __half box[256];
  u32 a[8], b[8], c[4], d[8];
  LOAD8(a, "a.sync.aligned.row.m16n16k16.f16", p.a, p.lda);
  LOAD8(b, "b.sync.aligned.row.m16n16k16.f16", p.b, p.ldb);
  LOAD4(c, "c.sync.aligned.row.m16n16k16.f16", p.c, p.ldc);
  asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f16 " L8(0, 1, 2, 3, 4, 5, 6, 7) ", " L8(8, 9, 10, 11, 12, 13, 14, 15) ", "
               L8(16, 17, 18, 19, 20, 21, 22, 23) ", " L4(24, 25, 26, 27) ";" : OUT8(d) : IN8(a), IN8(b), IN4(c));
  asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f16.f32 " L4(0, 1, 2, 3) ", " L8(4, 5, 6, 7, 8, 9, 10, 11) ", "
               L8(12, 13, 14, 15, 16, 17, 18, 19) ", " L8(20, 21, 22, 23, 24, 25, 26, 27) ";" : OUT4(c) : IN8(a), IN8(b), IN8(d));
  asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%4], " L4(0, 1, 2, 3) ";" ::IN4(c), "r"((u32)__cvta_generic_to_shared(box)) : "memory");
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) static_cast<__half *>(p.d)[i / 16 * p.ldd + i % 16] = box[i];
}

#define BFLOATS(shape, na, nb, la, lb, al, bl)                                                                                     \
  __global__ void bf16_##shape(Arguments p) {                                                                                      \
    u32 a[na], b[nb], c[8];                                                                                                        \
    LOAD##na(a, "a.sync.aligned." #al "." #shape ".bf16", p.a, p.lda);                                                             \
    LOAD##nb(b, "b.sync.aligned." #bl "." #shape ".bf16", p.b, p.ldb);                                                             \
    LOAD8(c, "c.sync.aligned.row." #shape ".f32", p.c, p.ldc);                                                                     \
    asm volatile("wmma.mma.sync.aligned." #al "." #bl "." #shape ".f32.bf16.bf16.f32 " L8(0, 1, 2, 3, 4, 5, 6, 7) ", " la ", " lb  \
                 ", " L8(0, 1, 2, 3, 4, 5, 6, 7) ";"                                                                               \
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), "+r"(c[6]), "+r"(c[7])                  \
                 : IN##na(a), IN##nb(b));                                                                                          \
    STORE8(c, "d.sync.aligned.row." #shape ".f32", p.d, p.ldd);                                                                    \
  }
BFLOATS(m16n16k16, 4, 4, L4(8, 9, 10, 11), L4(12, 13, 14, 15), row, row)
BFLOATS(m32n8k16, 8, 2, L8(8, 9, 10, 11, 12, 13, 14, 15), L2(16, 17), col, col)
BFLOATS(m8n32k16, 2, 8, L2(8, 9), L8(10, 11, 12, 13, 14, 15, 16, 17), row, col)

__global__ void tf32(Arguments p) {
  u32 a[4], b[4], c[8];
  LOAD4(a, "a.sync.aligned.row.m16n16k8.tf32", p.a, p.lda);
  LOAD4(b, "b.sync.aligned.row.m16n16k8.tf32", p.b, p.ldb);
  LOAD8(c, "c.sync.aligned.row.m16n16k8.f32", p.c, p.ldc);
  asm volatile("wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 " L8(0, 1, 2, 3, 4, 5, 6, 7) ", " L4(8, 9, 10, 11) ", " L4(12, 13, 14, 15) ", "
               L8(0, 1, 2, 3, 4, 5, 6, 7) ";"
               : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), "+r"(c[6]), "+r"(c[7])
               : IN4(a), IN4(b));
  STORE8(c, "d.sync.aligned.row.m16n16k8.f32", p.d, p.ldd);
}

__global__ void f64(Arguments p) {
  double a, b, c[2];
  asm volatile("wmma.load.a.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(a) : "l"(p.a), "r"(p.lda) : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(b) : "l"(p.b), "r"(p.ldb) : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n8k4.f64 {%0, %1}, [%2], %3;" : "=d"(c[0]), "=d"(c[1]) : "l"(p.c), "r"(p.ldc) : "memory");
  asm volatile("wmma.mma.sync.aligned.col.col.m8n8k4.rn.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(c[0]), "+d"(c[1]) : "d"(a), "d"(b));
  asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%2], {%0, %1}, %3;" ::"d"(c[0]), "d"(c[1]), "l"(p.d), "r"(p.ldd) : "memory");
}

#define BYTES(name, shape, na, nb, la, lb, al, bl, type, sat)                                                                      \
  __global__ void name(Arguments p) {                                                                                              \
    u32 a[na], b[nb], c[8];                                                                                                        \
    LOAD##na(a, "a.sync.aligned." #al "." #shape "." #type, p.a, p.lda);                                                           \
    LOAD##nb(b, "b.sync.aligned." #bl "." #shape "." #type, p.b, p.ldb);                                                           \
    LOAD8(c, "c.sync.aligned.row." #shape ".s32", p.c, p.ldc);                                                                     \
    asm volatile("wmma.mma.sync.aligned." #al "." #bl "." #shape sat ".s32." #type "." #type ".s32 " L8(0, 1, 2, 3, 4, 5, 6, 7)    \
                 ", " la ", " lb ", " L8(0, 1, 2, 3, 4, 5, 6, 7) ";"                                                               \
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), "+r"(c[6]), "+r"(c[7])                  \
                 : IN##na(a), IN##nb(b));                                                                                          \
    STORE8(c, "d.sync.aligned.row." #shape ".s32", p.d, p.ldd);                                                                    \
  }
BYTES(s8_square, m16n16k16, 2, 2, L2(8, 9), L2(10, 11), row, row, s8, "")
BYTES(s8_tall, m32n8k16, 4, 1, L4(8, 9, 10, 11), L1(12), col, col, s8, ".satfinite")
BYTES(u8_wide, m8n32k16, 1, 4, L1(8), L4(9, 10, 11, 12), row, row, u8, ".satfinite")

#define SMALL(name, shape, type, op, sat, type_suffixes)                                                                           \
  __global__ void name(Arguments p) {                                                                                              \
    u32 a[1], b[1], c[2];                                                                                                          \
    LOAD1(a, "a.sync.aligned.row." #shape "." #type, p.a, p.lda);                                                                  \
    LOAD1(b, "b.sync.aligned.col." #shape "." #type, p.b, p.ldb);                                                                  \
    LOAD2(c, "c.sync.aligned.row." #shape ".s32", p.c, p.ldc);                                                                     \
    asm volatile("wmma.mma" op ".sync.aligned.row.col." #shape sat type_suffixes " {%0, %1}, {%2}, {%3}, {%0, %1};"                \
                 : "+r"(c[0]), "+r"(c[1]) : "r"(a[0]), "r"(b[0]));                                                                 \
    STORE2(c, "d.sync.aligned.row." #shape ".s32", p.d, p.ldd);                                                                    \
  }
SMALL(s4, m8n8k32, s4, "", ".satfinite", ".s32.s4.s4.s32")
SMALL(u4, m8n8k32, u4, "", "", ".s32.u4.u4.s32")
SMALL(b1_xor, m8n8k128, b1, ".xor.popc", "", ".s32.b1.b1.s32")
SMALL(b1_and, m8n8k128, b1, ".and.popc", "", ".s32.b1.b1.s32")

// A matrix of numbers, stored as elements of `bits` bits.
struct Element {
  int bits;
  bool is_signed;
  char kind;  // h b f d i
};
double put(void *memory, int at, const Element &e, double x) {
  auto *bytes = static_cast<unsigned char *>(memory);
  switch (e.kind) {
    case 'h': { __half h = __float2half(float(x)); memcpy(bytes + 2 * at, &h, 2); return x; }
    case 'b': { __nv_bfloat16 h = __float2bfloat16(float(x)); memcpy(bytes + 2 * at, &h, 2); return x; }
    case 'f': { float f = float(x); memcpy(bytes + 4 * at, &f, 4); return x; }
    case 'd': memcpy(bytes + 8 * at, &x, 8); return x;
    default: break;
  }
  long long i = static_cast<long long>(x);
  for (int bit = 0; bit < e.bits; ++bit) {
    int place = at * e.bits + bit;
    bytes[place / 8] = static_cast<unsigned char>((bytes[place / 8] & ~(1 << place % 8)) | (i >> bit & 1) << place % 8);
  }
  return x;
}
double get(const void *memory, int at, const Element &e) {
  auto *bytes = static_cast<const unsigned char *>(memory);
  if (e.kind == 'h') { __half h; memcpy(&h, bytes + 2 * at, 2); return __half2float(h); }
  if (e.kind == 'f') { float f; memcpy(&f, bytes + 4 * at, 4); return f; }
  if (e.kind == 'd') { double d; memcpy(&d, bytes + 8 * at, 8); return d; }
  int i;
  memcpy(&i, bytes + 4 * at, 4);
  return i;
}

struct Case {
  void (*kernel)(Arguments);
  int m, n, k;
  const char *layouts;  // of a, b, c and d: r or c
  Element factor, c, d;
  int operation;        // 0: products, 1: of bits xor, 2: and
  bool saturates;
};

unsigned state = 1;
int random(int n) { return static_cast<int>((state = state * 1664525u + 1013904223u) >> 8) % n; }

void test(const Case &t, unsigned char *memory) {
  unsigned char *a = memory, *b = memory + 16384, *c = memory + 32768, *d = memory + 49152;
  memset(memory, 0, 65536);
  memset(d, 0xaa, 16384);
  int extra = t.factor.bits < 8 ? 128 : 32;  // rows are longer than what is used of them
  int lda = (t.layouts[0] == 'r' ? t.k : t.m) + extra, ldb = (t.layouts[1] == 'r' ? t.n : t.k) + extra;
  int ldc = (t.layouts[2] == 'r' ? t.n : t.m) + 16;
  double x[32][128], y[128][32], z[32][32];
  auto number = [&] {
    if (t.factor.bits == 1) return random(2);
    if (t.factor.kind != 'i') return random(33) - 16;
    int range = 1 << t.factor.bits;
    return random(range) - (t.factor.is_signed ? range / 2 : 0);
  };
  for (int i = 0; i < t.m; ++i)
    for (int p = 0; p < t.k; ++p) x[i][p] = put(a, t.layouts[0] == 'r' ? i * lda + p : p * lda + i, t.factor, number());
  for (int p = 0; p < t.k; ++p)
    for (int j = 0; j < t.n; ++j) y[p][j] = put(b, t.layouts[1] == 'r' ? p * ldb + j : j * ldb + p, t.factor, number());
  for (int i = 0; i < t.m; ++i)
    for (int j = 0; j < t.n; ++j) {
      double start = t.saturates && (i + j) % 3 == 0 ? 2147483647.0 - random(100) : random(100);
      z[i][j] = put(c, t.layouts[2] == 'r' ? i * ldc + j : j * ldc + i, t.c, start);
    }
  t.kernel<<<1, 32>>>(Arguments{a, b, c, d, lda, ldb, ldc, ldc});
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < t.m; ++i)
    for (int j = 0; j < t.n; ++j) {
      double want = z[i][j];
      for (int repeat = 0; repeat < (t.c.kind == 'h' ? 2 : 1); ++repeat)
        for (int p = 0; p < t.k; ++p)
          want += t.operation == 0 ? x[i][p] * y[p][j] : t.operation == 1 ? x[i][p] != y[p][j] : x[i][p] * y[p][j];
      if (t.saturates && want > 2147483647.0) want = 2147483647.0;
      if (t.d.kind == 'h') want = __half2float(__float2half(float(want)));
      CHECK_EQ(get(d, t.layouts[2] == 'r' ? i * ldc + j : j * ldc + i, t.d), want);
    }
}

int main() {
  unsigned char *memory;
  CHECK_CUDA(cudaMallocManaged(&memory, 65536));
  const Element h{16, true, 'h'}, bf{16, true, 'b'}, f{32, true, 'f'}, d{64, true, 'd'}, i{32, true, 'i'};
  const Element s8_{8, true, 'i'}, u8_{8, false, 'i'}, s4_{4, true, 'i'}, u4_{4, false, 'i'}, b1_{1, false, 'i'};
  const Case cases[] = {
      {f16_m16n16k16rowcolrow, 16, 16, 16, "rcr", h, f, f, 0, false},
      {f16_m16n16k16colrowcol, 16, 16, 16, "crc", h, f, f, 0, false},
      {f16_m32n8k16rowrowrow, 32, 8, 16, "rrr", h, f, f, 0, false},
      {f16_m32n8k16colcolcol, 32, 8, 16, "ccc", h, f, f, 0, false},
      {f16_m8n32k16rowrowcol, 8, 32, 16, "rrc", h, f, f, 0, false},
      {f16_m8n32k16colcolrow, 8, 32, 16, "ccr", h, f, f, 0, false},
      {f16_sums, 16, 16, 16, "rrr", h, h, h, 0, false},
      {bf16_m16n16k16, 16, 16, 16, "rrr", bf, f, f, 0, false},
      {bf16_m32n8k16, 32, 8, 16, "ccr", bf, f, f, 0, false},
      {bf16_m8n32k16, 8, 32, 16, "rcr", bf, f, f, 0, false},
      {tf32, 16, 16, 8, "rrr", f, f, f, 0, false},
      {f64, 8, 8, 4, "ccr", d, d, d, 0, false},
      {s8_square, 16, 16, 16, "rrr", s8_, i, i, 0, false},
      {s8_tall, 32, 8, 16, "ccr", s8_, i, i, 0, true},
      {u8_wide, 8, 32, 16, "rrr", u8_, i, i, 0, true},
      {s4, 8, 8, 32, "rcr", s4_, i, i, 0, true},
      {u4, 8, 8, 32, "rcr", u4_, i, i, 0, false},
      {b1_xor, 8, 8, 128, "rcr", b1_, i, i, 1, false},
      {b1_and, 8, 8, 128, "rcr", b1_, i, i, 2, false},
  };
  for (const Case &t : cases) test(t, memory);
  return check_report();
}

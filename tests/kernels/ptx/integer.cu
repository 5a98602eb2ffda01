// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer instructions of inline PTX: each on edge values, against plain C++.
// RUN: %mcc --extended-lambda %s -o %t && %run %t
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;

// Every pair (a, b) of the values below, with a third operand that depends on both.
const u32 kValues[] = {0, 1, 2, 31, 32, 33, 63, 64, 255, 0x1234, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xfffffffe, 0xffffffff};
const int kCount = sizeof kValues / sizeof *kValues;

template <typename F> __global__ void apply(const u32 *values, u64 *out, F f) {
  u32 a = values[blockIdx.x], b = values[threadIdx.x], c = values[(blockIdx.x * 5 + threadIdx.x * 3) % blockDim.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = f(a, b, c);
}

template <typename F, typename R> void compare(const char *name, F f, R reference) {
  u32 *values;
  u64 *out;
  cudaMallocManaged(&values, sizeof kValues);
  cudaMallocManaged(&out, kCount * kCount * sizeof(u64));
  memcpy(values, kValues, sizeof kValues);
  apply<<<kCount, kCount>>>(values, out, f);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kCount; ++i) {
    for (int j = 0; j < kCount; ++j) {
      u32 a = kValues[i], b = kValues[j], c = kValues[(i * 5 + j * 3) % kCount];
      if (out[i * kCount + j] != (u64)reference(a, b, c)) {
        fprintf(stderr, "%s(%#x, %#x, %#x):\n", name, a, b, c);
        CHECK_EQ(out[i * kCount + j], (u64)reference(a, b, c));
      }
    }
  }
  cudaFree(values);
  cudaFree(out);
}

#define OP1(text, reference)                                                                      \
  compare(                                                                                        \
      text,                                                                                       \
      [] __device__(u32 a, u32, u32) -> u64 {                                                     \
        u32 d;                                                                                    \
        asm(text " %0, %1;" : "=r"(d) : "r"(a));                                                  \
        return d;                                                                                 \
      },                                                                                          \
      [](u32 a, u32, u32) -> u32 { return reference; });
#define OP2(text, reference)                                                                      \
  compare(                                                                                        \
      text,                                                                                       \
      [] __device__(u32 a, u32 b, u32) -> u64 {                                                   \
        u32 d;                                                                                    \
        asm(text " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));                                      \
        return d;                                                                                 \
      },                                                                                          \
      [](u32 a, u32 b, u32) -> u32 { return reference; });
#define OP3(text, reference)                                                                      \
  compare(                                                                                        \
      text,                                                                                       \
      [] __device__(u32 a, u32 b, u32 c) -> u64 {                                                 \
        u32 d;                                                                                    \
        asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                          \
        return d;                                                                                 \
      },                                                                                          \
      [](u32 a, u32 b, u32 c) -> u32 { return reference; });

static s32 clamp32(s64 x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (s32)x; }
static u32 bits(u32 x, u32 first, u32 count) {
  u32 r = 0;
  for (u32 i = 0; i < count && i < 32; ++i) {
    r |= (first + i < 32 ? x >> (first + i) & 1 : 0) << i;
  }
  return r;
}
static u32 signed_bits(u32 x, u32 first, u32 count) {
  u32 r = 0, sign = count == 0 ? 0 : x >> (first + count - 1 < 31 ? first + count - 1 : 31) & 1;
  for (u32 i = 0; i < 32; ++i) {
    r |= (i < count && first + i < 32 ? x >> (first + i) & 1 : sign) << i;
  }
  return r;
}
static u32 insert(u32 f, u32 into, u32 first, u32 count) {
  for (u32 i = 0; i < count && first + i < 32; ++i) {
    into = (into & ~(1u << (first + i))) | (f >> i & 1) << (first + i);
  }
  return into;
}
static int top_bit(u32 x) { return x == 0 ? -1 : 31 - __builtin_clz(x); }
static u32 reverse(u32 x) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) {
    r |= (x >> i & 1) << (31 - i);
  }
  return r;
}
static u32 permute(u32 a, u32 b, u32 selector) {
  u64 both = (u64)b << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; ++i) {
    u32 s = selector >> (4 * i) & 15;
    u32 byte = both >> (8 * (s & 7)) & 255;
    r |= (s & 8 ? (byte & 128 ? 255 : 0) : byte) << (8 * i);
  }
  return r;
}
static s32 signed24(u32 x) { return (s32)(x << 8) >> 8; }
static u32 dot4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i) {
    c += (u32)((s32)(int8_t)(a >> (8 * i)) * (s32)(uint8_t)(b >> (8 * i)));
  }
  return c;
}

void arithmetic() {
  OP2("add.u32", a + b)
  OP2("add.sat.s32", (u32)clamp32((s64)(s32)a + (s32)b))
  OP2("sub.sat.s32", (u32)clamp32((s64)(s32)a - (s32)b))
  OP2("mul.hi.u32", (u64)a *b >> 32)
  OP2("mul.hi.s32", (u64)((s64)(s32)a * (s32)b) >> 32)
  OP2("mul.lo.s32", a * b)
  OP3("mad.lo.u32", a *b + c)
  OP3("mad.hi.u32", (u32)((u64)a * b >> 32) + c)
  OP3("mad.hi.sat.s32", (u32)clamp32((((s64)(s32)a * (s32)b) >> 32) + (s32)c))
  OP2("mul24.lo.s32", (u32)((s64)signed24(a) * signed24(b)))
  OP2("mul24.hi.u32", (u32)((u64)(a & 0xffffff) * (b & 0xffffff) >> 16))
  OP3("sad.s32", (u32)((s32)a > (s32)b ? a - b : b - a) + c)
  OP3("sad.u32", (a > b ? a - b : b - a) + c)
  OP1("abs.s32", (s32)a < 0 ? 0u - a : a)
  OP1("neg.s32", 0u - a)
  OP2("min.s32", (u32)((s32)a < (s32)b ? a : b))
  OP2("max.u32", a > b ? a : b)
  OP3("dp4a.s32.u32", dot4(a, b, c))
}

void bit_fields() {
  OP1("popc.b32", (u32)__builtin_popcount(a))
  OP1("clz.b32", a ? (u32)__builtin_clz(a) : 32u)
  OP1("brev.b32", reverse(a))
  OP1("bfind.u32", (u32)top_bit(a))
  OP1("bfind.s32", (u32)top_bit((s32)a < 0 ? ~a : a))
  OP1("bfind.shiftamt.u32", a ? (u32)(31 - top_bit(a)) : 0xffffffffu)
  OP3("bfe.u32", bits(a, b & 255, c & 255))
  OP3("bfe.s32", signed_bits(a, b & 255, c & 255))
  OP2("shl.b32", b > 31 ? 0 : a << b)
  OP2("shr.u32", b > 31 ? 0 : a >> b)
  OP2("shr.s32", (u32)((s32)a >> (b > 31 ? 31 : b)))
  OP3("shf.l.wrap.b32", (u32)(((u64)b << 32 | a) << (c & 31) >> 32))
  OP3("shf.r.wrap.b32", (u32)(((u64)b << 32 | a) >> (c & 31)))
  OP3("shf.l.clamp.b32", (u32)(c > 31 ? a : ((u64)b << 32 | a) << c >> 32))
  OP3("shf.r.clamp.b32", (u32)(c > 31 ? b : ((u64)b << 32 | a) >> c))
  OP3("prmt.b32", permute(a, b, c))
  OP2("bmsk.clamp.b32", (u32)((b > 31 ? 0xffffffffull : (1ull << b) - 1) << (a > 32 ? 32 : a)))
  OP1("not.b32", ~a)
  OP1("cnot.b32", a == 0)
}

struct Lop3 {
  __device__ u64 operator()(u32 a, u32 b, u32 c) const {
    u32 d;
    asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
  }
};
struct Insert {
  __device__ u64 operator()(u32 a, u32 b, u32 c) const {
    u32 d;
    asm("bfi.b32 %0, %1, %2, %3, 9;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
  }
};
struct Wide {
  __device__ u64 operator()(u32 a, u32 b, u32 c) const {
    u64 d;
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"((u64)c << 30));
    return d;
  }
};
struct Shift64 {
  __device__ u64 operator()(u32 a, u32 b, u32 c) const {
    u64 x = (u64)a << 32 | c, d, e;
    asm("shl.b64 %0, %2, %3;\n\tshr.s64 %1, %2, %3;" : "=l"(d), "=l"(e) : "l"(x), "r"(b));
    return d ^ (e << 1);
  }
};

int main() {
  arithmetic();
  bit_fields();
  compare("lop3", Lop3(), [](u32 a, u32 b, u32 c) -> u32 { return (a & b) | (a & c) | (b & c); });
  compare("bfi", Insert(), [](u32 a, u32 b, u32 c) -> u32 { return insert(a, b, c & 255, 9); });
  compare("mad.wide", Wide(), [](u32 a, u32 b, u32 c) -> u64 { return (u64)((s64)(s32)a * (s32)b) + ((u64)c << 30); });
  compare("shl.b64", Shift64(), [](u32 a, u32 b, u32 c) -> u64 {
    u64 x = (u64)a << 32 | c;
    u64 d = b > 63 ? 0 : x << b, e = (u64)((s64)x >> (b > 63 ? 63 : b));
    return d ^ (e << 1);
  });
  return check_report();
}

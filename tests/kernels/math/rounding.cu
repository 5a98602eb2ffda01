// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and conversions with explicit rounding, against the host's floating-point unit in that mode.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.5.9-01 C-5.5.1-03 C-5.5.3-01
#include <cfenv>

#include "check.h"

constexpr int kN = 4000;

__host__ __device__ unsigned long long random_at(unsigned long long i) {
  i += 0x9e3779b97f4a7c15ull;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return i ^ i >> 31;
}
// Values of every kind: all bit patterns, near 1, small integers, subnormals, few bits, the special ones.
__host__ __device__ double double_at(int i) {
  unsigned long long r = random_at(i), bits = r;
  switch (i % 6) {
    case 1: bits = (r & 0x800fffffffffffffull) | ((1020 + r / 64 % 6) << 52); break;
    case 2: return static_cast<double>(static_cast<long long>(r % 64)) - 32;
    case 3: bits = r & 0x801fffffffffffffull; break;
    case 4: bits = r & 0xfff0000000000fffull; break;
    case 5: {
      const unsigned long long special[8] = {0, 1ull << 63, 0x7ffull << 52, 0xfffull << 52, 0x7ff8ull << 48, 1, ~(1ull << 63 | 1ull << 52), 0x0010000000000000ull};
      bits = special[r % 8];
    }
  }
  return *reinterpret_cast<double *>(&bits);
}
__host__ __device__ float float_at(int i) {
  unsigned r = static_cast<unsigned>(random_at(i) >> 7), bits = r;
  switch (i % 6) {
    case 1: bits = (r & 0x807fffffu) | ((124 + r / 64 % 6) << 23); break;
    case 2: return static_cast<float>(static_cast<int>(r % 64)) - 32;
    case 3: bits = r & 0x80ffffffu; break;
    case 4: bits = r & 0xff8000ffu; break;
    case 5: {
      const unsigned special[8] = {0, 1u << 31, 0x7f800000u, 0xff800000u, 0x7fc00000u, 1, 0x7f7fffffu, 0x00800000u};
      bits = special[r % 8];
    }
  }
  return *reinterpret_cast<float *>(&bits);
}

struct Row {
  double add, sub, mul, div, fma, sqrt, rcp, ll2d, ull2d;
  float fadd, fsub, fmul, fdiv, fmaf, fsqrt, frcp, d2f, i2f, u2f, ll2f, ull2f;
  long long d2ll, f2ll;
  unsigned long long d2ull, f2ull;
  int d2i, f2i;
  unsigned d2u, f2u;
};

#define KERNEL(m)                                                                                                   \
  __global__ void run_##m(Row *rows) {                                                                              \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                  \
    if (i >= kN) return;                                                                                            \
    double a = double_at(i), b = double_at(i * 7 + 1), c = double_at(i * 5 + 2);                                    \
    float x = float_at(i), y = float_at(i * 7 + 1), z = float_at(i * 5 + 2);                                        \
    unsigned long long u = random_at(i) >> i % 64;                                                                  \
    long long s = static_cast<long long>(random_at(i)) >> i % 64;                                                   \
    Row r;                                                                                                          \
    r.add = __dadd_##m(a, b); r.sub = __dsub_##m(a, b); r.mul = __dmul_##m(a, b); r.div = __ddiv_##m(a, b);         \
    r.fma = __fma_##m(a, b, c); r.sqrt = __dsqrt_##m(a); r.rcp = __drcp_##m(a);                                     \
    r.ll2d = __ll2double_##m(s); r.ull2d = __ull2double_##m(u);                                                     \
    r.fadd = __fadd_##m(x, y); r.fsub = __fsub_##m(x, y); r.fmul = __fmul_##m(x, y); r.fdiv = __fdiv_##m(x, y);     \
    r.fmaf = __fmaf_##m(x, y, z); r.fsqrt = __fsqrt_##m(x); r.frcp = __frcp_##m(x);                                 \
    r.d2f = __double2float_##m(a); r.i2f = __int2float_##m(static_cast<int>(s));                                    \
    r.u2f = __uint2float_##m(static_cast<unsigned>(u)); r.ll2f = __ll2float_##m(s); r.ull2f = __ull2float_##m(u);   \
    r.d2ll = __double2ll_##m(a); r.d2ull = __double2ull_##m(a); r.d2i = __double2int_##m(a);                        \
    r.d2u = __double2uint_##m(a); r.f2ll = __float2ll_##m(x); r.f2ull = __float2ull_##m(x);                         \
    r.f2i = __float2int_##m(x); r.f2u = __float2uint_##m(x);                                                        \
    rows[i] = r;                                                                                                    \
  }
KERNEL(rn)
KERNEL(rz)
KERNEL(ru)
KERNEL(rd)

// Host arithmetic in the present mode; volatile keeps it out of the compiler's hands.
template <typename T> T v(T x) {
  volatile T y = x;
  return y;
}
template <typename F> bool same(F a, F b) {
  return (a != a && b != b) || __builtin_memcmp(&a, &b, sizeof(F)) == 0;
}
template <typename T, typename F> T clamped(F x, bool wide_or_double) {
  constexpr bool is_signed = static_cast<T>(-1) < 0;
  constexpr T least = is_signed ? static_cast<T>(1ull << (sizeof(T) * 8 - 1)) : 0, most = ~least;
  if (x != x) return wide_or_double ? static_cast<T>(1ull << (sizeof(T) * 8 - 1)) : 0;
  F whole = __builtin_nearbyint(x);
  if (whole < static_cast<F>(least)) return least;
  if (whole >= static_cast<F>(most)) return most;
  return static_cast<T>(whole);
}

void verify(const Row *rows, int mode, const char *name) {
  int before = check::failures();
  for (int i = 0; i < kN; ++i) {
    double a = double_at(i), b = double_at(i * 7 + 1), c = double_at(i * 5 + 2);
    float x = float_at(i), y = float_at(i * 7 + 1), z = float_at(i * 5 + 2);
    unsigned long long u = random_at(i) >> i % 64;
    long long s = static_cast<long long>(random_at(i)) >> i % 64;
    const Row &r = rows[i];
    fesetround(mode);
    Row e;
    e.add = v(v(a) + v(b)); e.sub = v(v(a) - v(b)); e.mul = v(v(a) * v(b)); e.div = v(v(a) / v(b));
    e.fma = v(fma(v(a), v(b), v(c))); e.sqrt = v(sqrt(v(a))); e.rcp = v(v(1.0) / v(a));
    e.ll2d = v(static_cast<double>(v(s))); e.ull2d = v(static_cast<double>(v(u)));
    e.fadd = v(v(x) + v(y)); e.fsub = v(v(x) - v(y)); e.fmul = v(v(x) * v(y)); e.fdiv = v(v(x) / v(y));
    e.fmaf = v(fmaf(v(x), v(y), v(z))); e.fsqrt = v(sqrtf(v(x))); e.frcp = v(v(1.0f) / v(x));
    e.d2f = v(static_cast<float>(v(a))); e.i2f = v(static_cast<float>(v(static_cast<int>(s))));
    e.u2f = v(static_cast<float>(v(static_cast<unsigned>(u))));
    e.ll2f = v(static_cast<float>(v(s))); e.ull2f = v(static_cast<float>(v(u)));
    e.d2ll = clamped<long long>(a, true); e.d2ull = clamped<unsigned long long>(a, true);
    e.d2i = clamped<int>(a, true); e.d2u = clamped<unsigned>(a, true);
    e.f2ll = clamped<long long>(x, true); e.f2ull = clamped<unsigned long long>(x, true);
    e.f2i = clamped<int>(x, false); e.f2u = clamped<unsigned>(x, false);
    fesetround(FE_TONEAREST);
#define SAME(field) if (!same(r.field, e.field)) { CHECK_EQ(r.field, e.field); }
    SAME(add) SAME(sub) SAME(mul) SAME(div) SAME(fma) SAME(sqrt) SAME(rcp) SAME(ll2d) SAME(ull2d)
    SAME(fadd) SAME(fsub) SAME(fmul) SAME(fdiv) SAME(fmaf) SAME(fsqrt) SAME(frcp) SAME(d2f)
    SAME(i2f) SAME(u2f) SAME(ll2f) SAME(ull2f)
    SAME(d2ll) SAME(d2ull) SAME(d2i) SAME(d2u) SAME(f2ll) SAME(f2ull) SAME(f2i) SAME(f2u)
  }
  if (check::failures() != before) fprintf(stderr, "in mode %s\n", name);
}

// A product and a sum from intrinsics stay two roundings; written with operators they may become one.
__global__ void contraction(float *out, float a, float b, float c) {
  out[0] = __fadd_rn(__fmul_rn(a, b), c);
  out[1] = __fmaf_rn(a, b, c);
  out[2] = fmaf(a, b, c);
}

int main() {
  Row *rows;
  CHECK_CUDA(cudaMallocManaged(&rows, kN * sizeof(Row)));
#define RUN(m, mode)                           \
  run_##m<<<(kN + 127) / 128, 128>>>(rows);    \
  CHECK_CUDA(cudaDeviceSynchronize());         \
  verify(rows, mode, #m);
  RUN(rn, FE_TONEAREST)
  RUN(rz, FE_TOWARDZERO)
  RUN(ru, FE_UPWARD)
  RUN(rd, FE_DOWNWARD)

  float *out;
  CHECK_CUDA(cudaMallocManaged(&out, 3 * sizeof(float)));
  float a = 1 + 0x1p-23f;
  contraction<<<1, 1>>>(out, a, a, -(1 + 0x1p-22f));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 0.0f);
  CHECK_EQ(out[1], 0x1p-46f);
  CHECK_EQ(out[2], 0x1p-46f);
  return check_report();
}

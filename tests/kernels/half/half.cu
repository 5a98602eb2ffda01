// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half: all 65536 values through the conversions, arithmetic on many pairs against the compiler's own type, comparisons,
// minimum and maximum, math functions, pairs, shuffles, atomics; the same functions on the host.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.5.2-01 C-5.5.5-01 C-5.5.7-02
#include <cuda_fp16.h>

#include <cfenv>

#include "check.h"

unsigned short bits(_Float16 v) {
  unsigned short b;
  __builtin_memcpy(&b, &v, 2);
  return b;
}
_Float16 value(unsigned short b) {
  _Float16 v;
  __builtin_memcpy(&v, &b, 2);
  return v;
}
bool is_nan(unsigned b) { return (b & 0x7fff) > 0x7c00; }
bool same(unsigned got, unsigned want) { return got == want || (is_nan(got) && is_nan(want)); }
#define SAME(got, want)                     \
  if (!same((got), (want))) {               \
    CHECK_EQ(int(got), int(want));          \
  }

struct One {
  unsigned short from_float, rz, ru, rd, neg, abs, sqrt, rcp, exp, log, sin, ceil, floor, rint, trunc, tanh;
  float to_float;
  int to_int_rn, to_int_rz, to_int_ru, to_int_rd, inf;
  long long to_ll;
  bool nan;
};

__host__ __device__ float between(unsigned i) {  // values that need rounding
  return __half2float(__ushort_as_half(i)) * 1.0003f + (i % 3) * 1e-6f;
}

__global__ void every_value(One *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half h = __ushort_as_half(i);
  One r;
  float f = between(i);
  r.from_float = __half_as_ushort(__float2half_rn(f));
  r.rz = __half_as_ushort(__float2half_rz(f));
  r.ru = __half_as_ushort(__float2half_ru(f));
  r.rd = __half_as_ushort(__float2half_rd(f));
  r.neg = __half_as_ushort(-h);
  r.abs = __half_as_ushort(__habs(h));
  r.sqrt = __half_as_ushort(hsqrt(h));
  r.rcp = __half_as_ushort(hrcp(h));
  r.exp = __half_as_ushort(hexp(h));
  r.log = __half_as_ushort(hlog(h));
  r.sin = __half_as_ushort(hsin(h));
  r.ceil = __half_as_ushort(hceil(h));
  r.floor = __half_as_ushort(hfloor(h));
  r.rint = __half_as_ushort(hrint(h));
  r.trunc = __half_as_ushort(htrunc(h));
  r.tanh = __half_as_ushort(htanh(h));
  r.to_float = h;
  r.to_int_rn = __half2int_rn(h);
  r.to_int_rz = __half2int_rz(h);
  r.to_int_ru = __half2int_ru(h);
  r.to_int_rd = __half2int_rd(h);
  r.to_ll = __half2ll_rz(h);
  r.inf = __hisinf(h);
  r.nan = __hisnan(h);
  out[i] = r;
}

unsigned short narrowed(float f, int mode) {
  // The neighbours of the nearest value, and the one that the mode asks for.
  _Float16 n = static_cast<_Float16>(f);
  float w = n;
  unsigned short b = bits(n);
  bool up = (mode == FE_UPWARD) || (mode == FE_TOWARDZERO && f < 0);
  if (f != f || mode == FE_TONEAREST || w == f) return b;
  if (up ? w < f : w > f) {  // one step
    if (b == 0x8000 || b == 0) return up ? 1 : 0x8001;
    return (up == (f > 0)) ? b + 1 : b - 1;
  }
  return b;
}

void verify_values(const One *r) {
  for (unsigned i = 0; i < 65536; ++i) {
    _Float16 v = value(i);
    double x = v;
    float f = between(i);
    SAME(r[i].from_float, bits(static_cast<_Float16>(f)));
    SAME(r[i].rz, narrowed(f, FE_TOWARDZERO));
    SAME(r[i].ru, narrowed(f, FE_UPWARD));
    SAME(r[i].rd, narrowed(f, FE_DOWNWARD));
    CHECK(r[i].to_float == static_cast<float>(v) || v != v);
    SAME(r[i].neg, i ^ 0x8000);
    SAME(r[i].abs, i & 0x7fff);
    SAME(r[i].sqrt, bits(static_cast<_Float16>(sqrt(x))));
    SAME(r[i].rcp, bits(static_cast<_Float16>(1 / x)));
    SAME(r[i].ceil, bits(static_cast<_Float16>(ceil(x))));
    SAME(r[i].floor, bits(static_cast<_Float16>(floor(x))));
    SAME(r[i].rint, bits(static_cast<_Float16>(rint(x))));
    SAME(r[i].trunc, bits(static_cast<_Float16>(trunc(x))));
    SAME(r[i].exp, bits(static_cast<_Float16>(exp(x))));
    SAME(r[i].tanh, bits(static_cast<_Float16>(tanh(x))));
    if (x > 0) SAME(r[i].log, bits(static_cast<_Float16>(log(x))));
    if (fabs(x) < 1e9) SAME(r[i].sin, bits(static_cast<_Float16>(sin(x))));
    CHECK_EQ(r[i].nan, v != v);
    CHECK_EQ(r[i].inf, i == 0x7c00 ? 1 : i == 0xfc00 ? -1 : 0);
    if (fabs(x) < 1e9) {
      CHECK_EQ(r[i].to_int_rn, static_cast<int>(rint(x)));
      CHECK_EQ(r[i].to_int_rz, static_cast<int>(x));
      CHECK_EQ(r[i].to_int_ru, static_cast<int>(ceil(x)));
      CHECK_EQ(r[i].to_int_rd, static_cast<int>(floor(x)));
      CHECK_EQ(r[i].to_ll, static_cast<long long>(x));
    } else if (v != v) {
      CHECK_EQ(r[i].to_int_rz, 0);
    } else {
      CHECK_EQ(r[i].to_int_rz, x > 0 ? 2147483647 : -2147483647 - 1);
    }
  }
}

struct Two {
  unsigned short sum, difference, product, quotient, fused, greatest, least, sat;
  unsigned char flags, unordered;
};
__host__ __device__ unsigned random_at(unsigned i) {
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return i ^ i >> 16;
}
__host__ __device__ Two combine(unsigned i) {
  __half a = __ushort_as_half(random_at(i)), b = __ushort_as_half(random_at(i + 1)), c = __ushort_as_half(random_at(i + 2));
  if (i % 4 == 1) b = __float2half(__half2float(a) * 1.5f);  // operands of like size
  Two r;
  r.sum = __half_as_ushort(a + b);
  r.difference = __half_as_ushort(__hsub(a, b));
  r.product = __half_as_ushort(a * b);
  r.quotient = __half_as_ushort(a / b);
  r.fused = __half_as_ushort(__hfma(a, b, c));
  r.greatest = __half_as_ushort(__hmax(a, b));
  r.least = __half_as_ushort(__hmin(a, b));
  r.sat = __half_as_ushort(__hadd_sat(a, b));
  r.flags = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 | __hne(a, b) << 6;
  r.unordered = __hequ(a, b) | __hneu(a, b) << 1 | __hltu(a, b) << 2 | __hleu(a, b) << 3 | __hgtu(a, b) << 4 | __hgeu(a, b) << 5;
  return r;
}
__global__ void pairs_of_values(Two *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = combine(i);
}
void verify_pair(const Two &r, unsigned i) {
  _Float16 a = value(random_at(i)), b = value(random_at(i + 1)), c = value(random_at(i + 2));
  if (i % 4 == 1) b = static_cast<_Float16>(static_cast<float>(a) * 1.5f);
  SAME(r.sum, bits(static_cast<_Float16>(static_cast<float>(a) + static_cast<float>(b))));
  SAME(r.difference, bits(static_cast<_Float16>(static_cast<float>(a) - static_cast<float>(b))));
  SAME(r.product, bits(static_cast<_Float16>(static_cast<float>(a) * static_cast<float>(b))));
  SAME(r.quotient, bits(static_cast<_Float16>(static_cast<float>(a) / static_cast<float>(b))));
  // 64 bits hold the exact sum.
  SAME(r.fused, bits(static_cast<_Float16>(static_cast<long double>(a) * b + static_cast<long double>(c))));
  if (a == a && b == b) {
    SAME(r.greatest, bits(a > b || (a == b && bits(a) < 0x8000) ? a : b));
    SAME(r.least, bits(a < b || (a == b && bits(a) >= 0x8000) ? a : b));
  } else if (a == a || b == b) {
    SAME(r.greatest, bits(a == a ? a : b));
  }
  float s = static_cast<float>(static_cast<_Float16>(static_cast<float>(a) + static_cast<float>(b)));
  SAME(r.sat, bits(static_cast<_Float16>(s > 0 ? (s < 1 ? s : 1.0f) : 0.0f)));
  bool nan = a != a || b != b;
  int flags = (a == b) | (a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5 | (a != b && !nan) << 6;
  CHECK_EQ(int(r.flags), flags);
  CHECK_EQ(int(r.unordered), nan ? 63 : flags & 63);
}

__global__ void vectors(__half2 *v, unsigned *mask, __half *cell, __half2 *cells) {
  __half2 a = __floats2half2_rn(1.5f, -2.0f), b = make_half2(__float2half(0.25f), __float2half(4.0f));
  v[0] = a + b;
  v[1] = __hmul2(a, b);
  v[2] = __hfma2(a, b, a);
  v[3] = __lowhigh2highlow(a);
  v[4] = __half2half2(__high2half(b));
  v[5] = __hgt2(a, b);
  v[6] = h2sqrt(b);
  v[7] = -a / b;
  float2 f = __half22float2(a);
  v[8] = __float22half2_rn(make_float2(f.y, f.x));
  mask[0] = __hgt2_mask(a, b);
  mask[1] = __hble2(a, a);
  v[9] = __shfl_xor_sync(0xffffffff, __halves2half2(__int2half_rn(threadIdx.x), __int2half_rn(0)), 3);
  __half h = __shfl_sync(0xffffffff, __int2half_rn(threadIdx.x), 7);
  mask[2] = __half2int_rn(h);
  atomicAdd(cell, __float2half(0.5f));
  atomicAdd(cells, __floats2half2_rn(1.0f, 2.0f));
}

int main() {
  One *one;
  CHECK_CUDA(cudaMallocManaged(&one, 65536 * sizeof(One)));
  every_value<<<256, 256>>>(one);
  CHECK_CUDA(cudaDeviceSynchronize());
  verify_values(one);

  Two *two;
  constexpr int n = 60 * 256;
  CHECK_CUDA(cudaMallocManaged(&two, n * sizeof(Two)));
  pairs_of_values<<<n / 256, 256>>>(two);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) verify_pair(two[i], i);

  __half2 *v;
  unsigned *mask;
  CHECK_CUDA(cudaMallocManaged(&v, 16 * sizeof(__half2)));
  CHECK_CUDA(cudaMallocManaged(&mask, 4 * sizeof(unsigned)));
  v[10] = v[11] = __half2(0.0f, 0.0f);
  vectors<<<1, 32>>>(v, mask, &v[10].x, &v[11]);
  CHECK_CUDA(cudaDeviceSynchronize());
  const float expected[9][2] = {{1.75f, 2}, {0.375f, -8}, {1.875f, -10}, {-2, 1.5f}, {4, 4}, {1, 0}, {0.5f, 2}, {-6, 0.5f}, {-2, 1.5f}};
  for (int i = 0; i < 9; ++i) {
    CHECK_EQ(__low2float(v[i]), expected[i][0]);
    CHECK_EQ(__high2float(v[i]), expected[i][1]);
  }
  CHECK_EQ(mask[0], 0x0000ffffu);
  CHECK_EQ(mask[1], 1u);
  CHECK_EQ(mask[2], 7u);
  CHECK_EQ(__half2float(v[10].x), 16.0f);
  CHECK_EQ(__low2float(v[11]), 32.0f);
  CHECK_EQ(__high2float(v[11]), 64.0f);

  // The host: integers, assignments, mixed use.
  half h = 2049;  // halfway: to even
  CHECK_EQ(static_cast<float>(h), 2048.0f);
  h = 1.0f;
  h += 2;
  CHECK_EQ(static_cast<int>(h), 3);
  CHECK_EQ(__half2float(__ull2half_rz(1ull << 63)), 65504.0f);
  CHECK_EQ(__half2float(__double2half(1 + 0x1p-11 + 0x1p-40)), 1 + 0x1p-10f);  // a single rounding
  CHECK(half(0.0f) == half(-0.0f));
  CHECK(!static_cast<bool>(half(0)));
  half2 pair = __half2(1.0f, 2.0f);
  pair = {};
  CHECK_EQ(__low2float(pair), 0.0f);
  CHECK_EQ(__high2float(pair), 0.0f);
  pair = __half2_raw{0x3c00, 0xc000};
  CHECK_EQ(__low2float(pair), 1.0f);
  CHECK_EQ(__high2float(pair), -2.0f);
  return check_report();
}

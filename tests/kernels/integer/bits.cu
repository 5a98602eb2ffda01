// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer intrinsics against plain C++ on many values: counting, permuting, high products, averages, shifts, dot products.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

struct Row {
  int clz, clzll, ffs, ffsll, popc, popcll, mul24, mulhi, hadd, rhadd, dp4a, dp2a_lo, dp2a_hi;
  unsigned brev, perm, umul24, umulhi, sad, usad, uhadd, urhadd, fl, fr, flc, frc, udp4a, udp2a_lo, udp2a_hi, fns;
  unsigned long long brevll, umul64hi, mul64hi;
};

__host__ __device__ unsigned long long random_at(unsigned long long i) {
  i += 0x9e3779b97f4a7c15ull;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return (i ^ i >> 31) >> (i % 61);  // of all magnitudes
}

__global__ void run(Row *rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long a = random_at(i * 3ull), b = random_at(i * 3ull + 1), c = random_at(i * 3ull + 2);
  unsigned x = a, y = b, z = c;
  int sx = x, sy = y, sz = z;
  Row r;
  r.clz = __clz(x); r.clzll = __clzll(a); r.ffs = __ffs(x); r.ffsll = __ffsll(a);
  r.popc = __popc(x); r.popcll = __popcll(a);
  r.mul24 = __mul24(sx, sy); r.umul24 = __umul24(x, y); r.mulhi = __mulhi(sx, sy); r.umulhi = __umulhi(x, y);
  r.mul64hi = __mul64hi(a, b); r.umul64hi = __umul64hi(a, b);
  r.hadd = __hadd(sx, sy); r.rhadd = __rhadd(sx, sy); r.uhadd = __uhadd(x, y); r.urhadd = __urhadd(x, y);
  r.brev = __brev(x); r.brevll = __brevll(a); r.perm = __byte_perm(x, y, z);
  r.sad = __sad(sx, sy, z); r.usad = __usad(x, y, z);
  r.fl = __funnelshift_l(x, y, z); r.fr = __funnelshift_r(x, y, z);
  r.flc = __funnelshift_lc(x, y, z % 40); r.frc = __funnelshift_rc(x, y, z % 40);
  r.dp4a = __dp4a(sx, sy, sz); r.udp4a = __dp4a(x, y, z);
  r.dp2a_lo = __dp2a_lo(sx, sy, sz); r.dp2a_hi = __dp2a_hi(sx, sy, sz);
  r.udp2a_lo = __dp2a_lo(x, y, z); r.udp2a_hi = __dp2a_hi(x, y, z);
  r.fns = __fns(x, y % 32, static_cast<int>(z % 9) - 4);
  rows[i] = r;
}

int count_leading(unsigned long long v, int width) {
  int n = 0;
  while (n < width && !(v >> (width - 1 - n) & 1)) ++n;
  return n;
}
int first_set(unsigned long long v, int width) {
  for (int i = 0; i < width; ++i)
    if (v >> i & 1) return i + 1;
  return 0;
}
int population(unsigned long long v) {
  int n = 0;
  for (; v; v &= v - 1) ++n;
  return n;
}
unsigned long long reversed(unsigned long long v, int width) {
  unsigned long long r = 0;
  for (int i = 0; i < width; ++i) r |= (v >> i & 1) << (width - 1 - i);
  return r;
}
long long low24(unsigned v) { return static_cast<int>(v << 8) >> 8; }
unsigned nth_set(unsigned mask, unsigned base, int n) {
  if (n == 0) return mask >> base & 1 ? base : 0xffffffffu;
  int step = n > 0 ? 1 : -1, left = n > 0 ? n : -n;
  for (int at = base; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0) return at;
  return 0xffffffffu;
}
template <typename Byte> unsigned dot4(unsigned a, unsigned b) {
  unsigned s = 0;
  for (int i = 0; i < 4; ++i) s += static_cast<Byte>(a >> 8 * i) * static_cast<Byte>(b >> 8 * i);
  return s;
}
template <typename Half, typename Byte> unsigned dot2(unsigned a, unsigned b, int first) {
  return static_cast<Half>(a) * static_cast<Byte>(b >> 8 * first) +
         static_cast<Half>(a >> 16) * static_cast<Byte>(b >> 8 * (first + 1));
}

int main() {
  constexpr int n = 20000;
  Row *rows;
  CHECK_CUDA(cudaMallocManaged(&rows, n * sizeof(Row)));
  run<<<(n + 127) / 128, 128>>>(rows, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    unsigned long long a = random_at(i * 3ull), b = random_at(i * 3ull + 1), c = random_at(i * 3ull + 2);
    unsigned x = a, y = b, z = c;
    int sx = x, sy = y;
    const Row &r = rows[i];
    CHECK_EQ(r.clz, count_leading(x, 32));
    CHECK_EQ(r.clzll, count_leading(a, 64));
    CHECK_EQ(r.ffs, first_set(x, 32));
    CHECK_EQ(r.ffsll, first_set(a, 64));
    CHECK_EQ(r.popc, population(x));
    CHECK_EQ(r.popcll, population(a));
    CHECK_EQ(r.brev, static_cast<unsigned>(reversed(x, 32)));
    CHECK_EQ(r.brevll, reversed(a, 64));
    CHECK_EQ(r.mul24, static_cast<int>(low24(x) * low24(y)));
    CHECK_EQ(r.umul24, (x & 0xffffff) * (y & 0xffffff));
    CHECK_EQ(r.mulhi, static_cast<int>((1ll * sx * sy) >> 32));
    CHECK_EQ(r.umulhi, static_cast<unsigned>((1ull * x * y) >> 32));
    CHECK_EQ(r.umul64hi, static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64));
    CHECK_EQ(r.mul64hi, static_cast<unsigned long long>(
                            (static_cast<__int128>(static_cast<long long>(a)) * static_cast<long long>(b)) >> 64));
    CHECK_EQ(r.hadd, static_cast<int>((1ll * sx + sy) >> 1));
    CHECK_EQ(r.rhadd, static_cast<int>((1ll * sx + sy + 1) >> 1));
    CHECK_EQ(r.uhadd, static_cast<unsigned>((1ull * x + y) >> 1));
    CHECK_EQ(r.urhadd, static_cast<unsigned>((1ull * x + y + 1) >> 1));
    unsigned char pool[8];
    for (int k = 0; k < 4; ++k) pool[k] = x >> 8 * k, pool[k + 4] = y >> 8 * k;
    unsigned perm = 0;
    for (int k = 0; k < 4; ++k) perm |= static_cast<unsigned>(pool[z >> 4 * k & 7]) << 8 * k;
    CHECK_EQ(r.perm, perm);
    CHECK_EQ(r.sad, static_cast<unsigned>(llabs(1ll * sx - sy)) + z);
    CHECK_EQ(r.usad, static_cast<unsigned>(llabs(1ll * x - y)) + z);
    unsigned long long pair = static_cast<unsigned long long>(y) << 32 | x;
    CHECK_EQ(r.fl, static_cast<unsigned>(pair << (z & 31) >> 32));
    CHECK_EQ(r.fr, static_cast<unsigned>(pair >> (z & 31)));
    unsigned s = z % 40 > 32 ? 32 : z % 40;
    CHECK_EQ(r.flc, s == 32 ? x : static_cast<unsigned>(pair << s >> 32));
    CHECK_EQ(r.frc, s == 32 ? y : static_cast<unsigned>(pair >> s));
    CHECK_EQ(static_cast<unsigned>(r.dp4a), dot4<signed char>(x, y) + z);
    CHECK_EQ(r.udp4a, dot4<unsigned char>(x, y) + z);
    CHECK_EQ(static_cast<unsigned>(r.dp2a_lo), (dot2<short, signed char>(x, y, 0)) + z);
    CHECK_EQ(static_cast<unsigned>(r.dp2a_hi), (dot2<short, signed char>(x, y, 2)) + z);
    CHECK_EQ(r.udp2a_lo, (dot2<unsigned short, unsigned char>(x, y, 0)) + z);
    CHECK_EQ(r.udp2a_hi, (dot2<unsigned short, unsigned char>(x, y, 2)) + z);
    CHECK_EQ(r.fns, nth_set(x, y % 32, static_cast<int>(z % 9) - 4));
  }
  return check_report();
}

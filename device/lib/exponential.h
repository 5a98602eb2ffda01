// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core of the exponential functions: x = n log 2 + r with |r| <= log(2) / 2, e^r by a polynomial, 2^n by two factors
// of half the exponent, so that results in the subnormal range are rounded once and those beyond the range overflow.
#pragma once

#include "device/lib/double_double.h"
#include "device/lib/polynomial.h"

/// Adding it rounds a number to an integer n, and leaves n + 254 (n + 2046) in the low bits of the sum.
constexpr float kRounderF = 12583166.0f;          // 1.5 * 2^23 + 254
constexpr double kRounder = 6755399441057790.0;  // 1.5 * 2^52 + 2046

/// p * 2^n; `biased` are the bits of n + kRounder.
HL_LOCAL float scale(float p, uint32 biased) {
  uint32 half = biased >> 1;
  return p * float_of(half << 23) * float_of((biased - half) << 23);
}
HL_LOCAL double scale(double p, uint64 biased) {
  uint64 half = biased >> 1;
  return p * double_of(half << 52) * double_of((biased - half) << 52);
}

/// `x` within the bounds; NaN stays.
template <typename F> HL_LOCAL F clamp(F x, F low, F high) {
  x = low > x ? low : x;
  return high < x ? high : x;
}

/// (e^r - 1 - r) / r^2 for |r| <= log(2) / 2: error 2^-22.8, 2^-52.
HL_LOCAL float exp_tail(float r) {
  return polynomial(r, 0.5f, 0x1.5554dcp-3f, 0x1.5554eap-5f, 0x1.120c04p-7f, 0x1.6d4bfcp-10f);
}
HL_LOCAL double exp_tail(double r) {
  return polynomial(r, 0x1.0000000000001p-1, 0x1.5555555555558p-3, 0x1.5555555553cd9p-5, 0x1.111111110f8dbp-7,
                    0x1.6c16c178ab683p-10, 0x1.a01a01afb725ep-13, 0x1.a019b8b7963dcp-16, 0x1.71ddf787534fap-19,
                    0x1.2891d2af5d43bp-22, 0x1.af61c09cbbc75p-26);
}

/// x = n log 2 + r + low; `biased` as scale() takes it.
template <typename F, typename Bits> struct ExpArgument {
  F n, r, low;
  Bits biased;
};
HL_LOCAL ExpArgument<float, uint32> reduce_exp(float x) {
  float j = fused(x, 0x1.715476p+0f, kRounderF), n = j - kRounderF;
  float whole = fused(n, -0x1.62e430p-1f, x);  // exact
  float r = fused(n, 0x1.05c610p-29f, whole);
  return {n, r, fused(n, 0x1.05c610p-29f, whole - r), bits_of(j)};
}
HL_LOCAL ExpArgument<double, uint64> reduce_exp(double x) {
  constexpr double high = 0x1.62e42fefa39efp-1, low = 0x1.abc9e3b39803fp-56;
  double j = fused(x, 0x1.71547652b82fep+0, kRounder), n = j - kRounder;
  double whole = fused(n, -high, x);  // exact
  double r = fused(n, -low, whole);
  return {n, r, fused(n, -low, whole - r), bits_of(j)};
}

/// e^(x + low) * 2^extra, where low is small against x.
HL_LOCAL float exp_times(float x, float low, uint32 extra) {
  auto a = reduce_exp(clamp(x, -105.0f, 90.0f));
  float r = a.r + low;
  float p = 1 + fused(exp_tail(r), r * r, r);
  return scale(p, a.biased + extra);
}
HL_LOCAL double exp_times(double x, double low, uint64 extra) {
  auto a = reduce_exp(clamp(x, -747.0, 711.0));
  low += a.low;
  double r = a.r + low;
  double p = 1 + (r + fused(exp_tail(r), r * r, (a.r - r) + low));
  return scale(p, a.biased + extra);
}

/// e^x - 1 for -38 <= x <= 710: 2^n e^r - 1 = 2 ((2^n / 2) (e^r - 1) + (2^n / 2 - 1/2)), where the half keeps 2^n in range.
HL_LOCAL Double2 expm1_in_two(double x) {
  auto a = reduce_exp(x);
  Double2 p = quick_sum(a.r, fused(exp_tail(a.r), a.r * a.r, a.low));
  double half = double_of((a.biased - 1024) << 52);
  Double2 sum = quick_sum(half - 0.5, p.hi * half);
  return {2 * sum.hi, 2 * fused(p.lo, half, sum.lo)};
}

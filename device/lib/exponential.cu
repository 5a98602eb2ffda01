// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2, exp10, expm1.
#include "device/lib/exponential.h"

HL_API float __hl_expf(float x) { return exp_times(x, 0.0f, 0); }
HL_API double __hl_exp(double x) { return exp_times(x, 0.0, 0); }

HL_API float __hl_exp2f(float x) {
  x = clamp(x, -152.0f, 129.0f);
  float j = x + kRounderF, r = x - (j - kRounderF);
  // (2^r - 1) / r for |r| <= 1/2: error 2^-26
  float p = polynomial(r, 0x1.62e430p-1f, 0x1.ebfbe0p-3f, 0x1.c6af9cp-5f, 0x1.3b2a48p-7f, 0x1.5ef5d0p-10f, 0x1.442512p-13f);
  return scale(fused(p, r, 1.0f), bits_of(j));
}
HL_API double __hl_exp2(double x) {
  x = clamp(x, -1077.0, 1025.0);
  double j = x + kRounder, r = x - (j - kRounder);
  // (2^r - 1) / r for |r| <= 1/2: error 2^-55
  double p = polynomial(r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d704a0cbp-5, 0x1.3b2ab6fba1ec4p-7,
                        0x1.5d87fe78a2ce3p-10, 0x1.4309130944095p-13, 0x1.ffcbfc7436691p-17, 0x1.62bfd4df40b7dp-20,
                        0x1.b524dccf9acf1p-24, 0x1.e60595a88c8eep-28, 0x1.ea042577666c5p-32);
  return scale(fused(p, r, 1.0), bits_of(j));
}

HL_API float __hl_exp10f(float x) {
  x = clamp(x, -46.0f, 39.0f);
  float j = fused(x, 0x1.a934f0p+1f, kRounderF), n = j - kRounderF;
  float r = fused(n, 0x1.ec10c0p-27f, fused(n, -0x1.344136p-2f, x));
  // (10^r - 1) / r for |r| <= log10(2) / 2: error 2^-26
  float p = polynomial(r, 0x1.26bb1cp+1f, 0x1.53524cp+1f, 0x1.046faap+1f, 0x1.2bd77ep+0f, 0x1.155f14p-1f, 0x1.a8dc78p-3f);
  return scale(fused(p, r, 1.0f), bits_of(j));
}
HL_API double __hl_exp10(double x) {
  constexpr double high = 0x1.26bb1bbb55516p+1, low = -0x1.f48ad494ea3e9p-53;  // log 10
  x = clamp(x, -325.0, 309.0);
  double j = fused(x, 0x1.a934f0979a371p+1, kRounder), n = j - kRounder;
  double r = fused(n, 0x1.9dc1da994fd21p-59, fused(n, -0x1.34413509f79ffp-2, x));
  double t = r * high, rest = fused(r, low, fused(r, high, -t));
  double p = 1 + (t + fused(exp_tail(t), t * t, rest));
  return scale(p, bits_of(j));
}

HL_API float __hl_expm1f(float x) {  // as expm1_in_two; near log(2) / 2 the two parts of the sum cancel, so that p has a low part
  auto a = reduce_exp(clamp(x, -18.0f, 89.0f));
  float tail = exp_tail(a.r), square = a.r * a.r, p = fused(tail, square, a.r);
  float low = fused(tail, square, a.r - p) + fused(a.low, p, a.low);
  float half = float_of((a.biased - 128) << 23), shifted = half - 0.5f;
  float result = 2 * (fused(p, half, shifted) + fused(low, half, half - shifted - 0.5f));
  return __builtin_fabsf(x) < 0x1p-25f ? x : result;
}
HL_API double __hl_expm1(double x) {
  Double2 e = expm1_in_two(clamp(x, -38.0, 710.0));
  return __builtin_fabs(x) < 0x1p-54 ? x : e.hi + e.lo;
}

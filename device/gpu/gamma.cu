// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gamma function on a GPU: Stirling's formula from 12 on, the recurrence up to there, reflection below zero.
#include "device/lib/lib.h"

HL_PURE double __hl_exp(double);
HL_PURE double __hl_expm1(double);
HL_PURE double __hl_log(double);
HL_PURE double __hl_pow(double, double);
HL_PURE double __hl_sinpi(double);

namespace {

/// For x >= 12. A power that would overflow before the result does is taken in two halves; every exponent is exact.
__device__ double stirling(double x) {
  double r = 1 / x, s = r * r;
  double series = r * (1.0 / 12 + s * (-1.0 / 360 + s * (1.0 / 1260 + s * (-1.0 / 1680 + s * (1.0 / 1188 +
                  s * (-691.0 / 360360 + s * (1.0 / 156)))))));
  constexpr double overflows = 140;
  constexpr double root = 0x1.40d931ff62706p+1;  // of 2 pi
  double scale = root / __builtin_sqrt(x);
  scale += scale * __hl_expm1(series);
  if (x < overflows) {
    return __hl_pow(x, x) * __hl_exp(-x) * scale;
  }
  double half = __hl_pow(x, 0.5 * x);
  return half * __hl_exp(-x) * scale * half;
}

__device__ double positive(double x) {
  if (x > 171.7) {
    return __builtin_huge_val();
  }
  if (x >= 12) {
    return stirling(x);
  }
  double steps = 12 - __builtin_floor(x), product = 1;
  for (double i = 0; i < steps; ++i) {
    product *= x + i;
  }
  // What the sum drops counts by the logarithmic derivative, about log(y) - 1 / (2 y).
  double y = x + steps, dropped = x - (y - steps);
  return stirling(y) / product * (1 + dropped * (__hl_log(y) - 0.5 / y));
}

/// x (x + 1) … of n factors.
__device__ double rising(double x, int n) {
  double product = 1;
  for (int i = 0; i < n; ++i) {
    product *= x + i;
  }
  return product;
}

}  // namespace

HL_API double gpu_tgamma(double) __asm__("__hl_libm_tgamma");
HL_API double gpu_tgamma(double x) {
  if (x == __builtin_trunc(x) && x <= 0) {
    return x == 0 ? __builtin_copysign(__builtin_huge_val(), x) : __builtin_nan("");
  }
  if (x > 0 || x != x) {
    return x != x ? x : positive(x);
  }
  if (x > -0x1p-54) {
    return 1 / x;
  }
  // gamma(x) gamma(1 - x) = pi / sin(pi x). Where gamma(-x) overflows, the quotient is a zero of its sign, or nearly so:
  // the recurrence keeps what is still a number.
  constexpr double pi = 0x1.921fb54442d18p+1;
  double a = -x, part = -x * __hl_sinpi(x);
  return a < 170 ? pi / (part * positive(a)) : pi / part / positive(a - 14) / rising(a - 14, 14);
}

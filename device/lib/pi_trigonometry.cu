// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos of multiples of pi, and exp10: the argument is multiplied by the constant in two doubles.
#include "device/lib/double_double.h"
#include "device/lib/libm.h"

namespace {

constexpr Double2 kPi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Double2 kLog10 = {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};

/// sin and cos of pi x. `quarter` is which half-turn quarter x lies in; the rest is at most 1/4.
__device__ void sin_cos_pi(double x, double *sine, double *cosine) {
  if (!__builtin_isfinite(x)) {
    *sine = *cosine = __builtin_nan("");
    return;
  }
  double turn = x - 2 * __builtin_trunc(x * 0.5);  // exact, |turn| < 2
  double halves = __builtin_rint(2 * turn);
  double rest = __builtin_fma(-0.5, halves, turn);
  int quarter = static_cast<int>(halves) & 3;
  Double2 angle = multiply(kPi, rest);
  double s = __hl_sin(angle.hi), c = __hl_cos(angle.hi);
  double sin_rest = __builtin_fma(c, angle.lo, s), cos_rest = __builtin_fma(-s, angle.lo, c);
  double swap_s = quarter & 1 ? cos_rest : sin_rest;
  double swap_c = quarter & 1 ? sin_rest : cos_rest;
  *sine = quarter & 2 ? -swap_s : swap_s;
  *cosine = (quarter == 1 || quarter == 2) ? -swap_c : swap_c;
  if (turn == 0 || halves == 2 * turn) {  // multiples of one half: exact values, zeros with CUDA's signs
    double exact_s[4] = {0, 1, 0, -1}, exact_c[4] = {1, 0, -1, 0};
    *sine = quarter & 1 ? exact_s[quarter] : __builtin_copysign(0.0, x);
    *cosine = exact_c[quarter];
  }
}

}  // namespace

HL_API void __hl_sincospi(double x, double *s, double *c) { sin_cos_pi(x, s, c); }
HL_API double __hl_sinpi(double x) {
  double s, c;
  sin_cos_pi(x, &s, &c);
  return s;
}
HL_API double __hl_cospi(double x) {
  double s, c;
  sin_cos_pi(x, &s, &c);
  return c;
}
HL_API void __hl_sincospif(float x, float *s, float *c) {
  double ds, dc;
  sin_cos_pi(x, &ds, &dc);
  *s = static_cast<float>(ds);
  *c = static_cast<float>(dc);
}
HL_API float __hl_sinpif(float x) { return static_cast<float>(__hl_sinpi(x)); }
HL_API float __hl_cospif(float x) { return static_cast<float>(__hl_cospi(x)); }

HL_API double __hl_exp10(double x) {
  if (!(__builtin_fabs(x) < 400)) {
    return x != x ? x : x > 0 ? __builtin_inf() : 0;
  }
  Double2 y = multiply(kLog10, x);
  if (y.hi > 709) {  // the power fits where exp of the rounded product may not
    double half = __hl_exp(y.hi - 1);
    return __builtin_fma(half, y.lo, half) * 2.718281828459045;
  }
  double e = __hl_exp(y.hi);
  return __builtin_fma(e, y.lo, e);
}
HL_API float __hl_exp10f(float x) { return static_cast<float>(__hl_exp10(x)); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions whose `__hl_` name leads to the process's C math library. A function leaves this file when it gets an
// implementation of its own in the library.
#include "device/lib/double_double.h"

#define FORWARD_1(fn) \
  HL_PURE double libm_##fn(double) HL_LIBM(#fn); \
  HL_PURE float libm_##fn##f(float) HL_LIBM(#fn "f"); \
  HL_API double __hl_##fn(double x) { return libm_##fn(x); } \
  HL_API float __hl_##fn##f(float x) { return libm_##fn##f(x); }
#define FORWARD_2(fn) \
  HL_PURE double libm_##fn(double, double) HL_LIBM(#fn); \
  HL_PURE float libm_##fn##f(float, float) HL_LIBM(#fn "f"); \
  HL_API double __hl_##fn(double x, double y) { return libm_##fn(x, y); } \
  HL_API float __hl_##fn##f(float x, float y) { return libm_##fn##f(x, y); }
#define FORWARD_N(fn) \
  HL_PURE double libm_##fn(int, double) HL_LIBM(#fn); \
  HL_PURE float libm_##fn##f(int, float) HL_LIBM(#fn "f"); \
  HL_API double __hl_##fn(int n, double x) { return libm_##fn(n, x); } \
  HL_API float __hl_##fn##f(int n, float x) { return libm_##fn##f(n, x); }

FORWARD_1(acos) FORWARD_1(acosh) FORWARD_1(asin) FORWARD_1(asinh) FORWARD_1(atan) FORWARD_1(atanh)
FORWARD_1(cos) FORWARD_1(cosh) FORWARD_1(erf) FORWARD_1(erfc) FORWARD_1(exp) FORWARD_1(exp2) FORWARD_1(expm1)
FORWARD_1(log) FORWARD_1(log1p) FORWARD_1(log2) FORWARD_1(sin) FORWARD_1(sinh)
FORWARD_1(tan)
FORWARD_2(atan2) FORWARD_2(fmod) FORWARD_2(pow) FORWARD_2(remainder)
FORWARD_N(jn) FORWARD_N(yn)

HL_API void __hl_sincos(double x, double *s, double *c) {
  *s = __hl_sin(x);
  *c = __hl_cos(x);
}
HL_API void __hl_sincosf(float x, float *s, float *c) {
  *s = __hl_sinf(x);
  *c = __hl_cosf(x);
}

HL_API double libm_lgamma(double, int *) HL_LIBM("lgamma_r");
HL_API double libm_remquo(double, double, int *) HL_LIBM("remquo");
HL_API float libm_remquof(float, float, int *) HL_LIBM("remquof");
HL_API double __hl_lgamma(double x) {
  int sign;
  return libm_lgamma(x, &sign);
}
HL_API float __hl_lgammaf(float x) { return static_cast<float>(__hl_lgamma(x)); }
HL_API double __hl_remquo(double x, double y, int *q) { return libm_remquo(x, y, q); }
HL_API float __hl_remquof(float x, float y, int *q) { return libm_remquof(x, y, q); }

// tanh and log10 are a rounding better than the C library's.
HL_PURE float libm_tanhf(float) HL_LIBM("tanhf");
HL_API float __hl_tanhf(float x) { return libm_tanhf(x); }
HL_API double __hl_tanh(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 20)) {
    return x != x ? x : __builtin_copysign(1.0, x);
  }
  if (a < 0x1p-28) {
    return x;
  }
  double e = __hl_expm1(2 * a);
  if (a > 0.55) {
    return __builtin_copysign(1 - 2 / (e + 2), x);
  }
  Double2 s = quick_sum(2, e);
  double q = e / s.hi;
  q += (__builtin_fma(-q, s.hi, e) - q * s.lo) / s.hi;
  return __builtin_copysign(q, x);
}
HL_API double __hl_log10(double x) {
  constexpr double high = 0x1.bcb7b1526e50ep-2, low = 0x1.95355baaafad3p-57;
  double r = __hl_log(x);
  return __builtin_isinf(r) ? r : __builtin_fma(r, high, r * low);
}
HL_API float __hl_log10f(float x) { return static_cast<float>(__hl_log10(x)); }

HL_PURE double libm_tgamma(double) HL_LIBM("tgamma");
HL_API double __hl_tgamma(double x) { return libm_tgamma(x); }
HL_API float __hl_tgammaf(float x) { return static_cast<float>(libm_tgamma(x)); }

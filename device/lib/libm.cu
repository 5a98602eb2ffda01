// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions whose `__hl_` name leads to the process's C math library. A function leaves this file when it gets an
// implementation of its own in the library.
#include "device/lib/lib.h"

#define LIBM extern "C" __device__ __attribute__((noconvergent, const, nothrow))
#define FORWARD_1(fn)                                                                 \
  LIBM double libm_##fn(double) __asm__(#fn);                        \
  LIBM float libm_##fn##f(float) __asm__(#fn "f");                   \
  HL_API double __hl_##fn(double x) { return libm_##fn(x); }                          \
  HL_API float __hl_##fn##f(float x) { return libm_##fn##f(x); }
#define FORWARD_2(fn)                                                                 \
  LIBM double libm_##fn(double, double) __asm__(#fn);                \
  LIBM float libm_##fn##f(float, float) __asm__(#fn "f");            \
  HL_API double __hl_##fn(double x, double y) { return libm_##fn(x, y); }             \
  HL_API float __hl_##fn##f(float x, float y) { return libm_##fn##f(x, y); }
#define FORWARD_N(fn)                                                                 \
  LIBM double libm_##fn(int, double) __asm__(#fn);                   \
  LIBM float libm_##fn##f(int, float) __asm__(#fn "f");              \
  HL_API double __hl_##fn(int n, double x) { return libm_##fn(n, x); }                \
  HL_API float __hl_##fn##f(int n, float x) { return libm_##fn##f(n, x); }

FORWARD_1(acos) FORWARD_1(acosh) FORWARD_1(asin) FORWARD_1(asinh) FORWARD_1(atan) FORWARD_1(atanh) FORWARD_1(cbrt)
FORWARD_1(cos) FORWARD_1(cosh) FORWARD_1(erf) FORWARD_1(erfc) FORWARD_1(exp) FORWARD_1(exp2) FORWARD_1(expm1)
FORWARD_1(lgamma) FORWARD_1(log) FORWARD_1(log10) FORWARD_1(log1p) FORWARD_1(log2) FORWARD_1(sin) FORWARD_1(sinh)
FORWARD_1(tan) FORWARD_1(tanh) FORWARD_1(tgamma) FORWARD_1(exp10) FORWARD_1(j0) FORWARD_1(j1) FORWARD_1(y0)
FORWARD_1(y1)
FORWARD_2(atan2) FORWARD_2(fmod) FORWARD_2(hypot) FORWARD_2(pow) FORWARD_2(remainder)
FORWARD_N(jn) FORWARD_N(yn)

HL_API void __hl_sincos(double x, double *s, double *c) {
  *s = __hl_sin(x);
  *c = __hl_cos(x);
}
HL_API void __hl_sincosf(float x, float *s, float *c) {
  *s = __hl_sinf(x);
  *c = __hl_cosf(x);
}

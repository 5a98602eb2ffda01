// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions whose `__hl_` name leads to the process's C math library, lane by lane. A function leaves this file when
// it gets an implementation of its own in the library.
#include "device/lib/lib.h"

HL_PURE double libm_jn(int, double) HL_LIBM("jn");
HL_PURE float libm_jnf(int, float) HL_LIBM("jnf");
HL_PURE double libm_yn(int, double) HL_LIBM("yn");
HL_PURE float libm_ynf(int, float) HL_LIBM("ynf");
HL_API double __hl_jn(int n, double x) { return libm_jn(n, x); }
HL_API float __hl_jnf(int n, float x) { return libm_jnf(n, x); }
HL_API double __hl_yn(int n, double x) { return libm_yn(n, x); }
HL_API float __hl_ynf(int n, float x) { return libm_ynf(n, x); }

HL_API double libm_lgamma(double, int *) HL_LIBM("lgamma_r");
HL_API double __hl_lgamma(double x) {
  int sign;
  return libm_lgamma(x, &sign);
}
HL_API float __hl_lgammaf(float x) { return static_cast<float>(__hl_lgamma(x)); }
HL_PURE double libm_tgamma(double) HL_LIBM("tgamma");
HL_API double __hl_tgamma(double x) { return libm_tgamma(x); }
HL_API float __hl_tgammaf(float x) { return static_cast<float>(libm_tgamma(x)); }

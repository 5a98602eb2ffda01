// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C math library on a GPU: what device/lib reaches by HL_LIBM on a CPU is libclc's here (the OpenCL C library of the
// LLVM project, found under its mangled names).
#include "device/lib/libm.h"

#define LIBM(name) __asm__("__hl_libm_" name)
// Mangled names hold the length of the plain one.
#define ONE(length, fn)                                                             \
  HL_PURE double clc_##fn(double) __asm__("_Z" length #fn "d");                     \
  HL_PURE float clc_##fn##f(float) __asm__("_Z" length #fn "f");                    \
  HL_API double gpu_##fn(double) LIBM(#fn);                                         \
  HL_API float gpu_##fn##f(float) LIBM(#fn "f");                                    \
  HL_API double gpu_##fn(double x) { return clc_##fn(x); }                          \
  HL_API float gpu_##fn##f(float x) { return clc_##fn##f(x); }
#define TWO(length, fn)                                                             \
  HL_PURE double clc_##fn(double, double) __asm__("_Z" length #fn "dd");            \
  HL_PURE float clc_##fn##f(float, float) __asm__("_Z" length #fn "ff");            \
  HL_API double gpu_##fn(double, double) LIBM(#fn);                                 \
  HL_API float gpu_##fn##f(float, float) LIBM(#fn "f");                             \
  HL_API double gpu_##fn(double x, double y) { return clc_##fn(x, y); }             \
  HL_API float gpu_##fn##f(float x, float y) { return clc_##fn##f(x, y); }

ONE("3", cos) ONE("3", erf) ONE("3", exp) ONE("3", log) ONE("3", sin) ONE("3", tan)
ONE("4", acos) ONE("4", asin) ONE("4", atan) ONE("4", cosh) ONE("4", erfc) ONE("4", exp2) ONE("4", log2) ONE("4", sinh)
ONE("4", tanh) ONE("5", acosh) ONE("5", asinh) ONE("5", atanh) ONE("5", expm1) ONE("5", log1p) ONE("5", log10)
ONE("5", exp10) ONE("4", cbrt) ONE("6", tgamma)
TWO("3", pow) TWO("4", fmod) TWO("5", atan2) TWO("9", remainder) TWO("5", hypot)

HL_API double clc_lgamma_r(double, int *) __asm__("_Z8lgamma_rdPi");
HL_API double clc_remquo(double, double, int *) __asm__("_Z6remquoddPi");
HL_API float clc_remquof(float, float, int *) __asm__("_Z6remquoffPi");
HL_API double gpu_lgamma(double, int *) LIBM("lgamma_r");
HL_API double gpu_lgamma(double x, int *sign) { return clc_lgamma_r(x, sign); }
HL_API double gpu_remquo(double, double, int *) LIBM("remquo");
HL_API double gpu_remquo(double x, double y, int *q) { return clc_remquo(x, y, q); }
HL_API float gpu_remquof(float, float, int *) LIBM("remquof");
HL_API float gpu_remquof(float x, float y, int *q) { return clc_remquof(x, y, q); }

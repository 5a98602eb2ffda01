// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C math library on a GPU: what device/lib reaches by HL_LIBM on a CPU is libclc's here (the OpenCL C library of the
// LLVM project, found under its mangled names), or in the other files of this folder.
#include "device/lib/lib.h"

#define LIBM(name) __asm__("__hl_libm_" name)

HL_PURE double clc_fmod(double, double) __asm__("_Z4fmoddd");
HL_API double clc_lgamma_r(double, int *) __asm__("_Z8lgamma_rdPi");
HL_API double clc_remquo(double, double, int *) __asm__("_Z6remquoddPi");

HL_API double gpu_fmod(double, double) LIBM("fmod");
HL_API double gpu_fmod(double x, double y) { return clc_fmod(x, y); }
HL_API float gpu_fmodf(float, float) LIBM("fmodf");
// Remainders of floats are floats; libclc's own forms take subnormal arguments for zero.
HL_API float gpu_fmodf(float x, float y) { return static_cast<float>(clc_fmod(x, y)); }
HL_API double gpu_lgamma(double, int *) LIBM("lgamma_r");
HL_API double gpu_lgamma(double x, int *sign) { return clc_lgamma_r(x, sign); }
HL_API double gpu_remquo(double, double, int *) LIBM("remquo");
HL_API double gpu_remquo(double x, double y, int *q) { return clc_remquo(x, y, q); }
HL_API float gpu_remquof(float, float, int *) LIBM("remquof");
HL_API float gpu_remquof(float x, float y, int *q) { return static_cast<float>(clc_remquo(x, y, q)); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic intrinsics with an explicit rounding mode, never contracted into other operations; and the fast
// single-precision intrinsics.
#ifndef __HELICON_DEVICE_ROUNDED_MATH_H__
#define __HELICON_DEVICE_ROUNDED_MATH_H__

#define __HELICON_RN __device__ __forceinline__
#define __HELICON_EXACT _Pragma("clang fp contract(off)")

__HELICON_RN float __fadd_rn(float x, float y) { __HELICON_EXACT return x + y; }
__HELICON_RN float __fsub_rn(float x, float y) { __HELICON_EXACT return x - y; }
__HELICON_RN float __fmul_rn(float x, float y) { __HELICON_EXACT return x * y; }
__HELICON_RN float __fdiv_rn(float x, float y) { __HELICON_EXACT return x / y; }
__HELICON_RN float __frcp_rn(float x) { __HELICON_EXACT return 1.0f / x; }
__HELICON_RN float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__HELICON_RN float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__HELICON_RN double __dadd_rn(double x, double y) { __HELICON_EXACT return x + y; }
__HELICON_RN double __dsub_rn(double x, double y) { __HELICON_EXACT return x - y; }
__HELICON_RN double __dmul_rn(double x, double y) { __HELICON_EXACT return x * y; }
__HELICON_RN double __ddiv_rn(double x, double y) { __HELICON_EXACT return x / y; }
__HELICON_RN double __drcp_rn(double x) { __HELICON_EXACT return 1.0 / x; }
__HELICON_RN double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
__HELICON_RN double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }

#define __HELICON_ROUNDED extern "C" __device__ __attribute__((const, noconvergent))
#define __HELICON_MODE(m)                                                                                    \
  __HELICON_ROUNDED float __fadd_##m(float, float) __asm__("__hl_fadd_" #m);                                 \
  __HELICON_ROUNDED float __fmul_##m(float, float) __asm__("__hl_fmul_" #m);                                 \
  __HELICON_ROUNDED float __fdiv_##m(float, float) __asm__("__hl_fdiv_" #m);                                 \
  __HELICON_ROUNDED float __fsqrt_##m(float) __asm__("__hl_fsqrt_" #m);                                      \
  __HELICON_ROUNDED float __fmaf_##m(float, float, float) __asm__("__hl_fmaf_" #m);                          \
  __HELICON_RN float __fsub_##m(float x, float y) { return __fadd_##m(x, -y); }                              \
  __HELICON_RN float __frcp_##m(float x) { return __fdiv_##m(1.0f, x); }                                     \
  __HELICON_ROUNDED double __dadd_##m(double, double) __asm__("__hl_dadd_" #m);                              \
  __HELICON_ROUNDED double __dmul_##m(double, double) __asm__("__hl_dmul_" #m);                              \
  __HELICON_ROUNDED double __ddiv_##m(double, double) __asm__("__hl_ddiv_" #m);                              \
  __HELICON_ROUNDED double __dsqrt_##m(double) __asm__("__hl_dsqrt_" #m);                                    \
  __HELICON_ROUNDED double __fma_##m(double, double, double) __asm__("__hl_fma_" #m);                        \
  __HELICON_RN double __dsub_##m(double x, double y) { return __dadd_##m(x, -y); }                           \
  __HELICON_RN double __drcp_##m(double x) { return __ddiv_##m(1.0, x); }                                    \
  __HELICON_RN float __fmaf_ieee_##m(float x, float y, float z) { return __fmaf_##m(x, y, z); }
__HELICON_MODE(rz)
__HELICON_MODE(ru)
__HELICON_MODE(rd)
#undef __HELICON_MODE
__HELICON_RN float __fmaf_ieee_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

__HELICON_ROUNDED float __frsqrt_rn(float) __asm__("__hl_frsqrt_rn");
#undef __HELICON_ROUNDED

// Clamps to [0, 1]; NaN gives 0.
__HELICON_RN float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }

// The fast forms. Those that gain nothing from a larger error are as accurate as the slow ones.
#define __HELICON_FAST extern "C" __device__ __attribute__((const))
__HELICON_FAST float __expf(float) __asm__("__hl_fast_expf");
__HELICON_FAST float __exp10f(float) __asm__("__hl_fast_exp10f");
__HELICON_FAST float __logf(float) __asm__("__hl_fast_logf");
__HELICON_FAST float __log2f(float) __asm__("__hl_fast_log2f");
__HELICON_FAST float __log10f(float) __asm__("__hl_fast_log10f");
__HELICON_FAST float __powf(float, float) __asm__("__hl_fast_powf");
#undef __HELICON_FAST
__HELICON_RN float __fdividef(float x, float y) { return x / y; }
__HELICON_RN float __sinf(float x) { return sinf(x); }
__HELICON_RN float __cosf(float x) { return cosf(x); }
__HELICON_RN float __tanf(float x) { return tanf(x); }
__HELICON_RN float __tanhf(float x) { return tanhf(x); }
__HELICON_RN void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }

#undef __HELICON_EXACT
#undef __HELICON_RN

#endif

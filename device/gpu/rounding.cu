// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and conversions with a chosen rounding mode, which a GPU has instructions for.
#include "device/lib/lib.h"

#define MODES(OPERATION) OPERATION(rz, rz) OPERATION(ru, rp) OPERATION(rd, rm)

#define ARITHMETIC(suffix, mode)                                                                    \
  HL_API float __hl_fadd_##suffix(float a, float b) { return __nvvm_add_##mode##_f(a, b); }         \
  HL_API float __hl_fmul_##suffix(float a, float b) { return __nvvm_mul_##mode##_f(a, b); }         \
  HL_API float __hl_fmaf_##suffix(float a, float b, float c) { return __nvvm_fma_##mode##_f(a, b, c); } \
  HL_API float __hl_fdiv_##suffix(float a, float b) { return __nvvm_div_##mode##_f(a, b); }         \
  HL_API float __hl_fsqrt_##suffix(float a) { return __nvvm_sqrt_##mode##_f(a); }                   \
  HL_API double __hl_dadd_##suffix(double a, double b) { return __nvvm_add_##mode##_d(a, b); }      \
  HL_API double __hl_dmul_##suffix(double a, double b) { return __nvvm_mul_##mode##_d(a, b); }      \
  HL_API double __hl_fma_##suffix(double a, double b, double c) { return __nvvm_fma_##mode##_d(a, b, c); } \
  HL_API double __hl_ddiv_##suffix(double a, double b) { return __nvvm_div_##mode##_d(a, b); }      \
  HL_API double __hl_dsqrt_##suffix(double a) { return __nvvm_sqrt_##mode##_d(a); }                 \
  HL_API float __hl_double2float_##suffix(double x) { return __nvvm_d2f_##mode(x); }                \
  HL_API float __hl_ll2float_##suffix(long long x) { return __nvvm_ll2f_##mode(x); }                \
  HL_API float __hl_ull2float_##suffix(uint64 x) { return __nvvm_ull2f_##mode(x); }                 \
  HL_API double __hl_ll2double_##suffix(long long x) { return __nvvm_ll2d_##mode(x); }              \
  HL_API double __hl_ull2double_##suffix(uint64 x) { return __nvvm_ull2d_##mode(x); }
MODES(ARITHMETIC)

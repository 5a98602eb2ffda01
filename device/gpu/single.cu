// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single-precision functions that a GPU's special-function unit does within the documented bounds.
#include "device/lib/lib.h"

/// What the unit says of what no other way of computing it needs to look at.
HL_PURE float __hl_log_of_special(float x) { return __nvvm_lg2_approx_f(x); }

/// 2^n 2^f with n = round(x log2(e)), kept where 2^n is a normal number: beyond that f grows, and 2^f with it to 0 or infinity.
HL_API float __hl_expf(float x) {
  constexpr float magic = 0x1.8p23f, log2e = 0x1.715476p+0f, log2e_rest = 0x1.4ae0bep-26f;
  float m = __builtin_fmaf(x, log2e, magic);
  m = __builtin_fmaxf(__builtin_fminf(m, magic + 127), magic - 126);
  float n = m - magic;
  float f = __builtin_fmaf(x, log2e_rest, __builtin_fmaf(x, log2e, -n));
  return __nvvm_ex2_approx_ftz_f(f) * float_of((bits_of(m) << 23) + 0x3f800000u);
}

HL_API float __hl_fast_expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
HL_API float __hl_fast_exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
HL_API float __hl_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
HL_API float __hl_fast_logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f; }
HL_API float __hl_fast_log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
HL_API float __hl_fast_powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }

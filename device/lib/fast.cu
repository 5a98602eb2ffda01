// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast single-precision functions (__expf, __logf …; the plain names under --use_fast_math) where a larger documented
// error buys time: all are made of a base-2 exponential and a short base-2 logarithm.
#include "device/lib/elementary.h"
#include "device/lib/polynomial.h"

namespace {

__device__ float short_log2(float x) {
  bool is_tiny = x < 0x1p-126f;
  uint32 bits = bits_of(is_tiny ? x * 0x1p23f : x);
  uint32 e = (bits - 0x3f2aaaab) & 0xff800000;
  float k = fused(static_cast<float>(static_cast<int>(e)), 0x1p-23f, is_tiny ? -23.0f : 0.0f);
  float f = float_of(bits - e) - 1;
  // log2(1 + f) / f for |f| <= 1/3: the error of the product with f is 2^-23.5
  float p = polynomial(f, 0x1.715472p+0f, -0x1.71543ap-1f, 0x1.ec82a0p-2f, -0x1.718230p-2f, 0x1.246860p-2f, -0x1.e2c862p-3f,
                       0x1.f9dd50p-3f, -0x1.d22ef2p-3f);
  float result = fused(p, f, k);
  constexpr float infinity = __builtin_inff();
  float special = x == 0 ? -infinity : x < 0 ? __builtin_nanf("") : x;
  return x > 0 && x < infinity ? result : special;
}

}  // namespace

HL_API float __hl_fast_expf(float x) { return __hl_exp2f(x * 0x1.715476p+0f); }
HL_API float __hl_fast_exp10f(float x) { return __hl_exp2f(x * 0x1.a934f0p+1f); }
HL_API float __hl_fast_log2f(float x) { return short_log2(x); }
HL_API float __hl_fast_logf(float x) { return short_log2(x) * 0x1.62e430p-1f; }
HL_API float __hl_fast_log10f(float x) { return short_log2(x) * 0x1.344136p-2f; }
HL_API float __hl_fast_powf(float x, float y) { return __hl_exp2f(y * short_log2(x)); }

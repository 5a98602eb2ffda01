// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinh, cosh, tanh and their inverses, from exp, expm1 and log1p.
#include "device/lib/elementary.h"
#include "device/lib/exponential.h"

namespace {

template <typename F> __device__ F signed_as(F size, F like) { return static_cast<F>(__builtin_copysign(size, like)); }
__device__ float root(float x) { return __builtin_sqrtf(x); }
__device__ double root(double x) { return __builtin_sqrt(x); }
__device__ float log1p_of(float x) { return __hl_log1pf(x); }
__device__ double log1p_of(double x) { return __hl_log1p(x); }

/// Beyond it x^2 + 1 is x^2, and log1p(x) is log(x).
template <typename F> constexpr F kHuge = sizeof(F) == 4 ? 0x1p40 : 0x1p100;
template <typename F> constexpr F kLog2 = 0x1.62e42fefa39efp-1;

template <typename F> __device__ F asinh_of(F x) {
  F a = static_cast<F>(__builtin_fabs(x));
  bool is_huge = a > kHuge<F>;
  F square = is_huge ? 0 : a * a;
  F r = log1p_of(a + square / (1 + root(square + 1)));
  return signed_as(is_huge ? r + kLog2<F> : r, x);
}
template <typename F> __device__ F acosh_of(F x) {
  F t = x - 1;
  bool is_huge = x > kHuge<F>;
  F r = log1p_of(is_huge ? x : t + root(fused(t, t, 2 * t)));
  return x < 1 ? static_cast<F>(__builtin_nan("")) : is_huge ? r + kLog2<F> : r;
}
template <typename F> __device__ F atanh_of(F x) {
  F a = static_cast<F>(__builtin_fabs(x));
  return signed_as(static_cast<F>(0.5) * log1p_of(2 * a / (1 - a)), x);
}

}  // namespace

HL_API float __hl_sinhf(float x) {
  float a = __builtin_fabsf(x), z = x * x;
  float half = exp_times(a, 0.0f, ~0u);  // e^a / 2
  // (sinh(x) / x - 1) / x^2 for |x| <= 1: error 2^-25
  float p = polynomial(z, 0x1.555556p-3f, 0x1.1110c6p-7f, 0x1.a03554p-13f, 0x1.725236p-19f);
  return a < 1 ? fused(x * z, p, x) : signed_as(half - 0.25f / half, x);
}
HL_API float __hl_coshf(float x) {
  float half = exp_times(__builtin_fabsf(x), 0.0f, ~0u);
  return half + 0.25f / half;
}
HL_API float __hl_tanhf(float x) {
  float a = __builtin_fabsf(x), z = a * a;
  // (tanh(x) / x - 1) / x^2 for |x| <= 0.63: error 2^-25
  float p = polynomial(z, -0x1.555556p-2f, 0x1.111136p-3f, -0x1.ba193ep-5f, 0x1.65608p-6f, -0x1.14df3p-7f, 0x1.389e68p-9f);
  float large = 1 - 2 / (exp_times(2 * a, 0.0f, 0) + 1);
  return signed_as(a < 0.6f ? fused(a * z, p, a) : large, x);
}
HL_API double __hl_sinh(double x) {
  double a = __builtin_fabs(x), z = x * x;
  double half = exp_times(a, 0.0, ~0ull);
  // (sinh(x) / x - 1) / x^2 for |x| <= 1: error 2^-54
  double p = polynomial(z, 0x1.5555555555555p-3, 0x1.1111111111198p-7, 0x1.a01a01a00b9c2p-13, 0x1.71de3a5e9b752p-19,
                        0x1.ae645336ffbc5p-26, 0x1.612234504ed57p-33, 0x1.b260b8b04cbf5p-41);
  return a < 1 ? fused(x * z, p, x) : signed_as(half - 0.25 / half, x);
}
HL_API double __hl_cosh(double x) {
  double half = exp_times(__builtin_fabs(x), 0.0, ~0ull);
  return half + 0.25 / half;
}
HL_API double __hl_tanh(double x) {  // e / (e + 2) with e = e^(2|x|) - 1, the quotient corrected
  double a = __builtin_fabs(x);
  Double2 e = expm1_in_two(2 * (a > 20 ? 20 : a));
  Double2 s = quick_sum(e.hi > 2 ? e.hi : 2, e.hi > 2 ? 2 : e.hi);
  double q = e.hi / s.hi;
  q += (fused(-q, s.hi, e.hi) + (e.lo - q * (s.lo + e.lo))) / s.hi;
  return a < 0x1p-28 ? x : signed_as(q, x);
}

HL_API float __hl_asinhf(float x) { return asinh_of(x); }
HL_API float __hl_acoshf(float x) { return acosh_of(x); }
HL_API float __hl_atanhf(float x) { return atanh_of(x); }
HL_API double __hl_asinh(double x) { return asinh_of(x); }
HL_API double __hl_acosh(double x) { return acosh_of(x); }
HL_API double __hl_atanh(double x) { return atanh_of(x); }

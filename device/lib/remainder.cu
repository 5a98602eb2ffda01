// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmod, remainder, remquo. While the quotient fits the mantissa, x - q y is exact in one fused step, and q is the
// quotient or beside it; other arguments go to the C library, lane by lane.
#include "device/lib/polynomial.h"

HL_PURE float libm_fmodf(float, float) HL_LIBM("fmodf");
HL_PURE double libm_fmod(double, double) HL_LIBM("fmod");
HL_API float libm_remquof(float, float, int *) HL_LIBM("remquof");
HL_API double libm_remquo(double, double, int *) HL_LIBM("remquo");

namespace {

__device__ float fmod_of_any(float x, float y) { return libm_fmodf(x, y); }
__device__ double fmod_of_any(double x, double y) { return libm_fmod(x, y); }
__device__ float remquo_of_any(float x, float y, int *q) { return libm_remquof(x, y, q); }
__device__ double remquo_of_any(double x, double y, int *q) { return libm_remquo(x, y, q); }

template <typename F> constexpr F kLargestQuotient = sizeof(F) == 4 ? 0x1p21 : 0x1p50;

template <typename F> __device__ F magnitude(F x) { return static_cast<F>(__builtin_fabs(x)); }
template <typename F> __device__ bool is_ordinary(F ax, F ay) {
  return ax < ay * kLargestQuotient<F> && ax < static_cast<F>(__builtin_inf()) && ay < static_cast<F>(__builtin_inf());
}

template <typename F> __device__ F fmod_of(F x, F y) {
  F ax = magnitude(x), ay = magnitude(y);
  if (__builtin_expect(!is_ordinary(ax, ay), 0)) {
    return fmod_of_any(x, y);
  }
  F r = fused(-static_cast<F>(__builtin_trunc(ax / ay)), ay, ax);
  r = r < 0 ? r + ay : r;
  r = r >= ay ? r - ay : r;
  return static_cast<F>(__builtin_copysign(r, x));
}

/// *low_bits: three bits of the quotient, with its sign.
template <typename F> __device__ F remquo_of(F x, F y, int *low_bits) {
  F ax = magnitude(x), ay = magnitude(y);
  if (__builtin_expect(!is_ordinary(ax, ay), 0)) {
    return remquo_of_any(x, y, low_bits);
  }
  constexpr F rounder = sizeof(F) == 4 ? 0x1.8p23f : 0x1.8p52;
  F j = ax / ay + rounder, q = j - rounder;
  F r = fused(-q, ay, ax);
  uint32 bits = static_cast<uint32>(bits_of(j));
  F size = magnitude(r), other = ay - size;  // of the quotient on the other side of ax / ay
  bool is_wrong = size > other || (size == other && (bits & 1));
  bits += is_wrong ? (r < 0 ? ~0u : 1u) : 0;
  r = is_wrong ? (r < 0 ? other : -other) : r;
  int q3 = static_cast<int>(bits & 7);
  *low_bits = __builtin_signbit(x) != __builtin_signbit(y) ? -q3 : q3;
  r = __builtin_signbit(x) ? -r : r;
  return r == 0 ? static_cast<F>(__builtin_copysign(0.0, x)) : r;
}

}  // namespace

HL_API float __hl_fmodf(float x, float y) { return fmod_of(x, y); }
HL_API double __hl_fmod(double x, double y) { return fmod_of(x, y); }
HL_API float __hl_remquof(float x, float y, int *q) { return remquo_of(x, y, q); }
HL_API double __hl_remquo(double x, double y, int *q) { return remquo_of(x, y, q); }
HL_API float __hl_remainderf(float x, float y) {
  int q;
  return remquo_of(x, y, &q);
}
HL_API double __hl_remainder(double x, double y) {
  int q;
  return remquo_of(x, y, &q);
}

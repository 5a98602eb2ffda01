// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asin, acos, atan, atan2: polynomials on [0, 1/2] or [0, 1], and what leads there.
#include "device/lib/polynomial.h"

namespace {

constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiLow = 0x1.1a62633145c07p-54;
constexpr float kHalfPiF = 0x1.921fb6p+0f, kHalfPiLowF = -0x1.777a5cp-25f;

/// (asin(s) / s - 1) / z with z = s^2 <= 1/4: errors 2^-24 and 2^-53.
__device__ float asin_tail(float z) {
  return polynomial(z, 0x1.555554p-3f, 0x1.3334cep-4f, 0x1.6d3e74p-5f, 0x1.ffbd92p-6f, 0x1.0fec3ap-6f, 0x1.1ac0e4p-5f);
}
__device__ double asin_tail(double z) {
  return polynomial(z, 0x1.5555555555556p-3, 0x1.3333333332da2p-4, 0x1.6db6db6e48603p-5, 0x1.f1c71c11deeap-6,
                    0x1.6e8bb37521acap-6, 0x1.1c4d112ced71bp-6, 0x1.c9d30ac3ce817p-7, 0x1.78010220106f1p-7,
                    0x1.532a91490f896p-7, 0x1.5e2915df0d825p-8, 0x1.220541f4ab154p-6, -0x1.f58c57c57245p-7,
                    0x1.dc181d65cafaap-6);
}
/// (atan(s) / s - 1) / z with z = s^2 <= 1: errors 2^-24 and 2^-54.
__device__ float atan_tail(float z) {
  return polynomial(z, -0x1.555554p-2f, 0x1.99984cp-3f, -0x1.246f74p-3f, 0x1.c423eep-4f, -0x1.636df2p-4f, 0x1.01e514p-4f,
                    -0x1.2a759ap-5f, 0x1.c62ea6p-7f, -0x1.449a16p-9f);
}
__device__ double atan_tail(double z) {
  return polynomial(z, -0x1.5555555555555p-2, 0x1.9999999999889p-3, -0x1.249249248aa63p-3, 0x1.c71c71c400394p-4,
                    -0x1.745d16eac7943p-4, 0x1.3b13aaa61eb25p-4, -0x1.1110be031dcc9p-4, 0x1.e1dc016818859p-5,
                    -0x1.af00c87163751p-5, 0x1.854bc4fc0aa7ap-5, -0x1.60f31796f9d96p-5, 0x1.3d58552227922p-5,
                    -0x1.14b8a75005098p-5, 0x1.c48a48b49a7f5p-6, -0x1.4cc40a52ec92fp-6, 0x1.a4627f0482f8dp-7,
                    -0x1.b28c29c65f0d7p-8, 0x1.5bb4d7ad14518p-9, -0x1.8ff38a61d42edp-11, 0x1.243ad36952315p-13,
                    -0x1.959e99e5d052fp-17);
}

template <typename F> __device__ F magnitude(F x) { return static_cast<F>(__builtin_fabs(x)); }
template <typename F> __device__ F signed_as(F size, F like) { return static_cast<F>(__builtin_copysign(size, like)); }
__device__ float root(float x) { return __builtin_sqrtf(x); }
__device__ double root(double x) { return __builtin_sqrt(x); }

/// asin(s) = s + correction, where s is |x|, or sqrt((1 - |x|) / 2) when |x| > 1/2: then asin(|x|) = pi/2 - 2 asin(s).
template <typename F> struct ArcSine {
  bool is_large;
  F s, correction;
};
template <typename F> __device__ ArcSine<F> arc_sine(F x) {
  F a = magnitude(x);
  bool is_large = a > static_cast<F>(0.5);
  F z = is_large ? fused(static_cast<F>(-0.5), a, static_cast<F>(0.5)) : a * a;
  F s = is_large ? root(z) : a;
  return {is_large, s, s * z * asin_tail(z)};
}
template <typename F> __device__ F asin_of(F x, F half_pi, F half_pi_low) {
  ArcSine<F> a = arc_sine(x);
  F large = half_pi - (2 * (a.s + a.correction) - half_pi_low);
  return signed_as(a.is_large ? large : a.s + a.correction, x);
}
template <typename F> __device__ F acos_of(F x, F half_pi, F half_pi_low) {
  ArcSine<F> a = arc_sine(x);
  F twice = 2 * (a.s + a.correction);
  F large = x < 0 ? 2 * half_pi - (twice - 2 * half_pi_low) : twice;
  F small = half_pi - (x - (half_pi_low - signed_as(a.correction, x)));
  return a.is_large ? large : x != x ? x : small;
}
template <typename F> __device__ F atan_of(F x, F half_pi, F half_pi_low) {
  F a = magnitude(x);
  bool is_large = a > 1;
  F t = is_large ? 1 / a : a, z = t * t;
  F correction = t * z * atan_tail(z);
  return signed_as(is_large ? half_pi - (t - (half_pi_low - correction)) : t + correction, x);
}
template <typename F> __device__ F atan2_of(F y, F x, F half_pi, F half_pi_low) {
  constexpr F infinity = static_cast<F>(__builtin_inf());
  F ax = magnitude(x), ay = magnitude(y);
  bool is_steep = ay > ax;
  F low = is_steep ? ax : ay, high = is_steep ? ay : ax;
  F t = high == 0 ? 0 : low == infinity ? 1 : low / high;
  F z = t * t, correction = t * z * atan_tail(z);
  bool is_left = __builtin_signbit(x);
  // The angle is turn +- (t + correction), turn a multiple of pi / 2.
  F turn = is_steep ? 1 : is_left ? 2 : 0;
  F sign = is_steep != is_left ? -1 : 1;
  F r = fused(turn, half_pi, sign * t);
  F rest = (turn * half_pi - r) + sign * t;
  F angle = r + (rest + fused(turn, half_pi_low, sign * correction));
  return x != x || y != y ? x + y : signed_as(angle, y);
}

}  // namespace

HL_API float __hl_asinf(float x) { return asin_of(x, kHalfPiF, kHalfPiLowF); }
HL_API float __hl_acosf(float x) { return acos_of(x, kHalfPiF, kHalfPiLowF); }
HL_API float __hl_atanf(float x) { return atan_of(x, kHalfPiF, kHalfPiLowF); }
HL_API float __hl_atan2f(float y, float x) { return atan2_of(y, x, kHalfPiF, kHalfPiLowF); }
HL_API double __hl_asin(double x) { return asin_of(x, kHalfPi, kHalfPiLow); }
HL_API double __hl_acos(double x) { return acos_of(x, kHalfPi, kHalfPiLow); }
HL_API double __hl_atan(double x) { return atan_of(x, kHalfPi, kHalfPiLow); }
HL_API double __hl_atan2(double y, double x) { return atan2_of(y, x, kHalfPi, kHalfPiLow); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error function, its complements and inverses, the normal distribution.
#include "device/lib/double_double.h"
#include "device/lib/elementary.h"
#include "device/lib/exponential.h"

namespace {

constexpr double kTwoOverRootPi = 0x1.20dd750429b6dp+0;
constexpr double kHalfRootPi = 0x1.c5bf891b4ef6bp-1;
constexpr double kRoot2 = 0x1.6a09e667f3bcdp+0;
constexpr Double2 kRootHalf = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};

/// (1 + 2x) erfcx(x) as a polynomial in t = (x - 4) / (x + 4), in single precision for 0.48 <= x <= 11 (error 2^-24.7), in double
/// for all x >= 0 (Shepherd and Laframboise's form; the coefficients are from Remez' exchange and Chebyshev interpolation).
__device__ float scaled_fit(float t) {
  return polynomial(t, 0x1.3ba592p+0f, -0x1.1df1dep-3f, 0x1.f7d7bap-7f, 0x1.16f862p-4f, -0x1.9d9650p-4f, 0x1.7fb4eep-4f,
                    -0x1.115464p-4f, 0x1.2f216ap-5f, -0x1.fd94aep-7f, 0x1.8881b6p-8f);
}
__device__ double scaled_fit(double t) {
  return polynomial(t, 0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd7bfp-7, 0x1.16ecefcfa5396p-4,
                    -0x1.9ddb23c3e911ap-4, 0x1.7fee004e1253fp-4, -0x1.0fb06dfe4881cp-4, 0x1.3079edf682d03p-5,
                    -0x1.096238855565ap-6, 0x1.49c6728605dbfp-8, -0x1.8d4a9981d262bp-11, -0x1.a1df251a5cb68p-13,
                    0x1.3be0317c4054fp-13, -0x1.99595de28cfd5p-16, -0x1.7881334393ef4p-17, 0x1.7f2b05fe5ba19p-18,
                    0x1.383ed06d682a1p-22, -0x1.bb543884994d6p-21, 0x1.53dbc3cb88d56p-24, 0x1.ddb7b38bb3ad8p-24,
                    -0x1.7cd937206a62ap-26, -0x1.0eb0ab3b1848fp-26, 0x1.20a0d9edd9418p-28, 0x1.4f53c78d51db3p-29,
                    -0x1.72126124fa559p-31, -0x1.ac96488ec9489p-32, 0x1.767e745f07225p-34, 0x1.d4e8fb7784632p-35,
                    -0x1.b3b39f7139a30p-38, -0x1.2a1f22a66e461p-38);
}

/// erfcx for x >= 0; in single precision for 0.48 <= x <= 11, where the quotient by 1 + 2x, which is not rounded, is exact but for
/// its own rounding.
__device__ float scaled_complement(float x) {
  float fit = scaled_fit((x - 4) / (x + 4)), divisor = fused(2.0f, x, 1.0f), rest = fused(2.0f, x, 1 - divisor);
  float inverse = 1 / divisor, y = fit * inverse;
  return fused(fused(-y, rest, fused(-y, divisor, fit)), inverse, y);
}
__device__ double scaled_complement(double x) { return scaled_fit((x - 4) / (x + 4)) / (1 + 2 * x); }

/// erfc(x + low) for x >= 0 where |low| is a rounding of x: the square is taken in two parts.
template <typename F> __device__ F complement(F x, F low) {
  constexpr F most = sizeof(F) == 4 ? 11 : 28;  // beyond, the result is 0
  x = x > most ? most : x;
  F square = x * x;
  F rest = fused(-x, x, square) - 2 * x * low;
  return exp_times(-square, rest, 0) * scaled_complement(x);
}
/// erf(x) / x - 1 as a polynomial in x^2 for |x| <= 1, errors against erf(x) / x 2^-29 and 2^-56.
__device__ float erf_near_0(float z) {
  return polynomial(z, 0x1.06eba8p-3f, -0x1.812740p-2f, 0x1.ce2d52p-4f, -0x1.b7fec4p-6f, 0x1.542fecp-8f, -0x1.a5197ap-11f,
                    0x1.4c5cb4p-14f);
}
__device__ double erf_near_0(double z) {
  return polynomial(z, 0x1.06eba8214db68p-3, -0x1.812746b0379b5p-2, 0x1.ce2f21a040b02p-4, -0x1.b82ce311f7069p-6,
                    0x1.565bccf908894p-8, -0x1.c02db03ff6859p-11, 0x1.f9a2bb4bba0e4p-14, -0x1.f4ca5bb2856d7p-17,
                    0x1.b9807f233887cp-20, -0x1.5c0bc3130e21dp-23, 0x1.d73d744d56748p-27, -0x1.ac1a4196e188cp-31);
}
template <typename F> __device__ F erfc_of(F x, F low) {
  F y = complement(static_cast<F>(__builtin_fabs(x)), x < 0 ? -low : low);
  F near_0 = 1 - (fused(x, erf_near_0(x * x), x) + low);
  y = x < 0 ? 2 - y : y;
  return __builtin_fabs(x) < 0.5 ? near_0 : y;
}
template <typename F> __device__ F erf_of(F x) {
  F a = static_cast<F>(__builtin_fabs(x));
  F large = static_cast<F>(__builtin_copysign(1 - complement(a, static_cast<F>(0)), x));
  return a < 1 ? fused(x, erf_near_0(x * x), x) : large;
}

__device__ double exp_of_square(double x) {
  Double2 square = exact_product(x, x);
  return exp_times(square.hi, square.lo, 0);
}

/// A value within half a percent of the inverse: Winitzki's formula. `log_term` is log(1 - x^2).
__device__ double first_guess(double log_term) {
  constexpr double a = 0.147;
  double t = 2 / (3.141592653589793 * a) + 0.5 * log_term;
  return __builtin_sqrt(__builtin_sqrt(t * t - log_term / a) - t);
}

/// Halley's step for g / g' = u where g'' / g' = -2t.
__device__ double halley(double t, double u) { return t - u / (1 + t * u); }

__device__ double inverse_small(double x) {  // erfinv for |x| <= 1/2
  double z = x * x;
  double t = x * kHalfRootPi * (1 + z * (0.26179938779914944 + z * (0.14393173084921979 + z * 0.0976636195)));
  for (int i = 0; i < 2; ++i) {
    t = halley(t, (erf_of(t) - x) * kHalfRootPi * __hl_exp(t * t));
  }
  return t;
}

__device__ double inverse_complement(double y) {  // erfcinv for 0 < y <= 1/2
  double log_y = __hl_log(y);
  double t = first_guess(log_y + __hl_log1p(1 - y));
  if (y < 1e-3) {  // the logarithm is nearly a parabola: Newton's steps on it
    for (int i = 0; i < 4; ++i) {
      double e = scaled_complement(t);
      Double2 square = exact_product(t, t);
      t += (((-log_y - square.hi) + __hl_log(e)) - square.lo) * e * kHalfRootPi;
    }
    return t;
  }
  for (int i = 0; i < 2; ++i) {
    t = halley(t, (y - erfc_of(t, 0.0)) * kHalfRootPi * __hl_exp(t * t));
  }
  return t;
}

}  // namespace

HL_API float __hl_erff(float x) { return erf_of(x); }
HL_API double __hl_erf(double x) { return erf_of(x); }
HL_API float __hl_erfcf(float x) { return erfc_of(x, 0.0f); }
HL_API double __hl_erfc(double x) { return erfc_of(x, 0.0); }

HL_API double __hl_erfcx(double x) {
  if (__builtin_fabs(x) < 0.5) {
    return exp_of_square(x) * erfc_of(x, 0.0);
  }
  if (x > 0) {
    return x > 0x1p27 ? kTwoOverRootPi * 0.5 / x : scaled_complement(x);
  }
  if (x < -27) {
    return __builtin_inf();
  }
  return 2 * exp_of_square(x) - scaled_complement(-x);
}
HL_API float __hl_erfcxf(float x) { return static_cast<float>(__hl_erfcx(x)); }

HL_API double __hl_erfinv(double x) {
  double a = __builtin_fabs(x);
  if (!(a < 1)) {
    return a == 1 ? __builtin_copysign(__builtin_inf(), x) : __builtin_nan("");
  }
  if (a < 0x1p-500) {  // linear; kept away from the underflow of the correction
    return x * kHalfRootPi;
  }
  return a <= 0.5 ? inverse_small(x) : __builtin_copysign(inverse_complement(1 - a), x);
}
HL_API double __hl_erfcinv(double y) {
  if (!(y > 0 && y < 2)) {
    return y == 0 ? __builtin_inf() : y == 2 ? -__builtin_inf() : __builtin_nan("");
  }
  return y < 0.5 ? inverse_complement(y) : y > 1.5 ? -inverse_complement(2 - y) : __hl_erfinv(1 - y);
}
HL_API double __hl_normcdfinv(double p) {
  if (!(p > 0 && p < 1)) {
    return p == 0 ? -__builtin_inf() : p == 1 ? __builtin_inf() : __builtin_nan("");
  }
  double t = p < 0.25 ? -inverse_complement(2 * p) : p > 0.75 ? inverse_complement(2 - 2 * p) : -__hl_erfinv(1 - 2 * p);
  return t * kRoot2;
}
HL_API double __hl_normcdf(double x) {
  Double2 h = multiply(kRootHalf, -clamp(x, -40.0, 40.0));
  return 0.5 * erfc_of(h.hi, h.lo);
}
HL_API float __hl_erfinvf(float x) { return static_cast<float>(__hl_erfinv(x)); }
HL_API float __hl_erfcinvf(float x) { return static_cast<float>(__hl_erfcinv(x)); }
HL_API float __hl_normcdfinvf(float x) { return static_cast<float>(__hl_normcdfinv(x)); }
HL_API float __hl_normcdff(float x) {
  constexpr float high = -0x1.6a09e6p-1f, low = -0x1.9fcef4p-27f;  // -sqrt(1/2)
  x = clamp(x, -15.0f, 15.0f);
  float h = x * high;
  return 0.5f * erfc_of(h, fused(x, low, fused(x, high, -h)));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions around the error function that the C library lacks: inverses, the scaled complement, the normal distribution.
#include "device/lib/double_double.h"
#include "device/lib/libm.h"

namespace {

constexpr double kTwoOverRootPi = 0x1.20dd750429b6dp+0;
constexpr double kHalfRootPi = 0x1.c5bf891b4ef6bp-1;
constexpr double kRoot2 = 0x1.6a09e667f3bcdp+0;
constexpr Double2 kRootHalf = {0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};

// (1 + 2x) erfcx(x) as a polynomial in (x - 4) / (x + 4), for x >= 0 (Shepherd and Laframboise's form; the coefficients
// are from Chebyshev interpolation in 300 bits).
__constant__ const double kErfcx[] = {
    0x1.3ba5916e9fd7fp+0, -0x1.1df1ad154a28ep-3, 0x1.f7f5df66fd7bfp-7, 0x1.16ecefcfa5396p-4, -0x1.9ddb23c3e911ap-4,
    0x1.7fee004e1253fp-4, -0x1.0fb06dfe4881cp-4, 0x1.3079edf682d03p-5, -0x1.096238855565ap-6, 0x1.49c6728605dbfp-8,
    -0x1.8d4a9981d262bp-11, -0x1.a1df251a5cb68p-13, 0x1.3be0317c4054fp-13, -0x1.99595de28cfd5p-16,
    -0x1.7881334393ef4p-17, 0x1.7f2b05fe5ba19p-18, 0x1.383ed06d682a1p-22, -0x1.bb543884994d6p-21,
    0x1.53dbc3cb88d56p-24, 0x1.ddb7b38bb3ad8p-24, -0x1.7cd937206a62ap-26, -0x1.0eb0ab3b1848fp-26,
    0x1.20a0d9edd9418p-28, 0x1.4f53c78d51db3p-29, -0x1.72126124fa559p-31, -0x1.ac96488ec9489p-32,
    0x1.767e745f07225p-34, 0x1.d4e8fb7784632p-35, -0x1.b3b39f7139a30p-38, -0x1.2a1f22a66e461p-38,};

template <int N> __device__ double polynomial(const double (&c)[N], double x) {
  double s = c[N - 1];
  for (int i = N - 2; i >= 0; --i) {
    s = __builtin_fma(s, x, c[i]);
  }
  return s;
}

__device__ double scaled_complement(double x) {  // erfcx for x >= 0
  if (x > 0x1p27) {
    return kTwoOverRootPi * 0.5 / x;
  }
  return polynomial(kErfcx, (x - 4) / (x + 4)) / (1 + 2 * x);
}

__device__ double exp_of_square(double x) {
  Double2 square = exact_product(x, x);
  double e = __hl_exp(square.hi);
  return __builtin_fma(e, square.lo, e);
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
    t = halley(t, (__hl_erf(t) - x) * kHalfRootPi * __hl_exp(t * t));
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
    t = halley(t, (y - __hl_erfc(t)) * kHalfRootPi * __hl_exp(t * t));
  }
  return t;
}

}  // namespace

HL_API double __hl_erfcx(double x) {
  if (__builtin_fabs(x) < 1) {
    return exp_of_square(x) * __hl_erfc(x);
  }
  if (x > 0) {
    return scaled_complement(x);
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
  if (x != x) {
    return x;
  }
  if (__builtin_fabs(x) > 39) {
    return x > 0 ? 1 : 0;
  }
  Double2 h = multiply(kRootHalf, -x);
  double slope = kTwoOverRootPi * __hl_exp(-h.hi * h.hi);
  return 0.5 * __builtin_fma(-slope, h.lo, __hl_erfc(h.hi));
}
HL_API float __hl_erfinvf(float x) { return static_cast<float>(__hl_erfinv(x)); }
HL_API float __hl_erfcinvf(float x) { return static_cast<float>(__hl_erfcinv(x)); }
HL_API float __hl_normcdfinvf(float x) { return static_cast<float>(__hl_normcdfinv(x)); }
HL_API float __hl_normcdff(float x) { return static_cast<float>(__hl_normcdf(x)); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host forms of the math functions that CUDA adds to the C library's, and min and max for both sides.
#ifndef __HELICON_DEVICE_HOST_MATH_H__
#define __HELICON_DEVICE_HOST_MATH_H__

// The overloads of <cmath> without std::, as <math.h> gives them (but not the newer names, which programs define).
using std::abs; using std::acos; using std::acosh; using std::asin; using std::asinh; using std::atan;
using std::atan2; using std::atanh; using std::cbrt; using std::ceil; using std::copysign; using std::cos;
using std::cosh; using std::erf; using std::erfc; using std::exp; using std::exp2; using std::expm1; using std::fabs;
using std::fdim; using std::floor; using std::fma; using std::fmax; using std::fmin; using std::fmod;
using std::fpclassify; using std::frexp; using std::hypot; using std::ilogb; using std::isfinite;
using std::isgreater; using std::isgreaterequal; using std::isinf; using std::isless; using std::islessequal;
using std::islessgreater; using std::isnan; using std::isnormal; using std::isunordered; using std::ldexp;
using std::lgamma; using std::llrint; using std::llround; using std::log; using std::log10; using std::log1p;
using std::log2; using std::logb; using std::lrint; using std::lround; using std::modf; using std::nearbyint;
using std::nextafter; using std::nexttoward; using std::pow; using std::remainder; using std::remquo; using std::rint;
using std::round; using std::scalbln; using std::scalbn; using std::signbit; using std::sin; using std::sinh;
using std::sqrt; using std::tan; using std::tanh; using std::tgamma; using std::trunc;

extern "C" {
#define __HELICON_HOST_1(fn)                                                \
  __host__ double fn(double) noexcept __asm__("__hl_" #fn);                  \
  __host__ float fn##f(float) noexcept __asm__("__hl_" #fn "f");
__HELICON_HOST_1(rsqrt) __HELICON_HOST_1(rcbrt) __HELICON_HOST_1(sinpi) __HELICON_HOST_1(cospi)
__HELICON_HOST_1(erfinv) __HELICON_HOST_1(erfcinv) __HELICON_HOST_1(erfcx)
__HELICON_HOST_1(normcdf) __HELICON_HOST_1(normcdfinv)
#undef __HELICON_HOST_1
__host__ void sincospi(double, double *, double *) noexcept __asm__("__hl_sincospi");
__host__ void sincospif(float, float *, float *) noexcept __asm__("__hl_sincospif");
}

// The float overloads of names that the C library has in double only.
#define __HELICON_HOST_FLOAT(fn) __host__ inline float fn(float x) { return fn##f(x); }
__HELICON_HOST_FLOAT(rsqrt) __HELICON_HOST_FLOAT(rcbrt) __HELICON_HOST_FLOAT(sinpi) __HELICON_HOST_FLOAT(cospi)
__HELICON_HOST_FLOAT(erfinv) __HELICON_HOST_FLOAT(erfcinv) __HELICON_HOST_FLOAT(erfcx) __HELICON_HOST_FLOAT(normcdf)
__HELICON_HOST_FLOAT(normcdfinv) __HELICON_HOST_FLOAT(exp10) __HELICON_HOST_FLOAT(j0) __HELICON_HOST_FLOAT(j1)
__HELICON_HOST_FLOAT(y0) __HELICON_HOST_FLOAT(y1)
#undef __HELICON_HOST_FLOAT
__host__ inline float jn(int n, float x) { return jnf(n, x); }
__host__ inline float yn(int n, float x) { return ynf(n, x); }
__host__ inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__host__ inline void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

// min and max: the arithmetic types, mixed signs going to the unsigned type as in the usual conversions.
#define __HELICON_MIN_MAX(result, a, b)                                                                            \
  __HELICON_HD constexpr result min(a x, b y) {                                                                    \
    return static_cast<result>(x) < static_cast<result>(y) ? static_cast<result>(x) : static_cast<result>(y);      \
  }                                                                                                                \
  __HELICON_HD constexpr result max(a x, b y) {                                                                    \
    return static_cast<result>(x) > static_cast<result>(y) ? static_cast<result>(x) : static_cast<result>(y);      \
  }
#define __HELICON_MIN_MAX_SIGNS(s)                       \
  __HELICON_MIN_MAX(s, s, s)                             \
  __HELICON_MIN_MAX(unsigned s, unsigned s, unsigned s)  \
  __HELICON_MIN_MAX(unsigned s, s, unsigned s)           \
  __HELICON_MIN_MAX(unsigned s, unsigned s, s)
__HELICON_MIN_MAX_SIGNS(int)
__HELICON_MIN_MAX_SIGNS(long)
__HELICON_MIN_MAX_SIGNS(long long)
#undef __HELICON_MIN_MAX_SIGNS
#undef __HELICON_MIN_MAX
#define __HELICON_FMIN_FMAX(result, a, b)                                \
  __HELICON_HD result min(a x, b y) { return fmin(static_cast<result>(x), static_cast<result>(y)); } \
  __HELICON_HD result max(a x, b y) { return fmax(static_cast<result>(x), static_cast<result>(y)); }
__HELICON_HD float min(float x, float y) { return fminf(x, y); }
__HELICON_HD float max(float x, float y) { return fmaxf(x, y); }
__HELICON_FMIN_FMAX(double, double, double)
__HELICON_FMIN_FMAX(double, float, double)
__HELICON_FMIN_FMAX(double, double, float)
#undef __HELICON_FMIN_FMAX
__HELICON_HD constexpr unsigned int umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
__HELICON_HD constexpr unsigned int umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
__HELICON_HD constexpr long long llmin(long long x, long long y) { return x < y ? x : y; }
__HELICON_HD constexpr long long llmax(long long x, long long y) { return x > y ? x : y; }
__HELICON_HD constexpr unsigned long long ullmin(unsigned long long x, unsigned long long y) { return x < y ? x : y; }
__HELICON_HD constexpr unsigned long long ullmax(unsigned long long x, unsigned long long y) { return x > y ? x : y; }

#endif

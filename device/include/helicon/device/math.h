// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device overloads of the C and CUDA math functions in float and double, found as ::sin, ::sinf and std::sin. Functions
// that are one LLVM intrinsic are defined here; the others are in the device library under `__hl_` names.
//
// Must be read before <cmath>: the overloads of that header are constexpr, and clang makes a constexpr function
// host-only only where a device function of the same signature is known.
#ifndef __HELICON_DEVICE_MATH_H__
#define __HELICON_DEVICE_MATH_H__

#define __HELICON_MATH extern "C" __device__ __attribute__((const))
#define __HELICON_MATH_OUT extern "C" __device__
#define __HELICON_INLINE_MATH __device__ __forceinline__
#define __HELICON_INTEGRAL(result) \
  template <typename __T> __HELICON_INLINE_MATH typename __hl_enable_if<__is_integral(__T), result>::type

// With --use_fast_math the plain single-precision names are the fast functions.
#if defined(__HELICON_FAST_MATH__)
#define __HELICON_QUICK "__hl_fast_"
#else
#define __HELICON_QUICK "__hl_"
#endif

// Three spellings of each function: f(double), ff(float), f(float); integers go the double way.
#define __HELICON_LIBRARY_1(fn) __HELICON_LIBRARY_1_AT(fn, "__hl_")
#define __HELICON_QUICK_1(fn) __HELICON_LIBRARY_1_AT(fn, __HELICON_QUICK)
#define __HELICON_LIBRARY_1_AT(fn, single)                                                   \
  __HELICON_MATH double fn(double) __asm__("__hl_" #fn);                                      \
  __HELICON_MATH float fn##f(float) __asm__(single #fn "f");                                  \
  __HELICON_INLINE_MATH float fn(float x) { return fn##f(x); }                                \
  __HELICON_INTEGRAL(double) fn(__T x) { return fn(static_cast<double>(x)); }
#define __HELICON_LIBRARY_2(fn) __HELICON_LIBRARY_2_AT(fn, "__hl_")
#define __HELICON_QUICK_2(fn) __HELICON_LIBRARY_2_AT(fn, __HELICON_QUICK)
#define __HELICON_LIBRARY_2_AT(fn, single)                                                   \
  __HELICON_MATH double fn(double, double) __asm__("__hl_" #fn);                              \
  __HELICON_MATH float fn##f(float, float) __asm__(single #fn "f");                           \
  __HELICON_INLINE_MATH float fn(float x, float y) { return fn##f(x, y); }
#define __HELICON_BUILTIN_1(fn)                                                                             \
  __HELICON_MATH double fn(double) __asm__("__hl_" #fn);                                                     \
  __HELICON_MATH float fn##f(float) __asm__("__hl_" #fn "f");                                                \
  extern "C" __HELICON_INLINE_MATH double fn(double x) { return __builtin_##fn(x); }                         \
  extern "C" __HELICON_INLINE_MATH float fn##f(float x) { return __builtin_##fn##f(x); }                     \
  __HELICON_INLINE_MATH float fn(float x) { return __builtin_##fn##f(x); }                                   \
  __HELICON_INTEGRAL(double) fn(__T x) { return __builtin_##fn(static_cast<double>(x)); }
#define __HELICON_BUILTIN_2(fn)                                                                             \
  __HELICON_MATH double fn(double, double) __asm__("__hl_" #fn);                                             \
  __HELICON_MATH float fn##f(float, float) __asm__("__hl_" #fn "f");                                         \
  extern "C" __HELICON_INLINE_MATH double fn(double x, double y) { return __builtin_##fn(x, y); }            \
  extern "C" __HELICON_INLINE_MATH float fn##f(float x, float y) { return __builtin_##fn##f(x, y); }         \
  __HELICON_INLINE_MATH float fn(float x, float y) { return __builtin_##fn##f(x, y); }
#define __HELICON_TO_INTEGER(fn, type)                                                       \
  __HELICON_MATH type fn(double) __asm__("__hl_" #fn);                                        \
  __HELICON_MATH type fn##f(float) __asm__("__hl_" #fn "f");                                  \
  __HELICON_INLINE_MATH type fn(float x) { return fn##f(x); }                                 \
  __HELICON_INTEGRAL(type) fn(__T x) { return fn(static_cast<double>(x)); }

__HELICON_BUILTIN_1(fabs) __HELICON_BUILTIN_1(ceil) __HELICON_BUILTIN_1(floor) __HELICON_BUILTIN_1(trunc)
__HELICON_BUILTIN_1(round) __HELICON_BUILTIN_1(rint) __HELICON_BUILTIN_1(nearbyint) __HELICON_BUILTIN_1(sqrt)
__HELICON_BUILTIN_2(fmax) __HELICON_BUILTIN_2(fmin) __HELICON_BUILTIN_2(copysign)

__HELICON_LIBRARY_1(acos) __HELICON_LIBRARY_1(acosh) __HELICON_LIBRARY_1(asin) __HELICON_LIBRARY_1(asinh)
__HELICON_LIBRARY_1(atan) __HELICON_LIBRARY_1(atanh) __HELICON_LIBRARY_1(cbrt) __HELICON_LIBRARY_1(cos)
__HELICON_LIBRARY_1(cosh) __HELICON_LIBRARY_1(erf) __HELICON_LIBRARY_1(erfc) __HELICON_QUICK_1(exp)
__HELICON_LIBRARY_1(exp2) __HELICON_LIBRARY_1(expm1) __HELICON_LIBRARY_1(lgamma) __HELICON_QUICK_1(log)
__HELICON_QUICK_1(log10) __HELICON_LIBRARY_1(log1p) __HELICON_QUICK_1(log2) __HELICON_LIBRARY_1(logb)
__HELICON_LIBRARY_1(sin) __HELICON_LIBRARY_1(sinh) __HELICON_LIBRARY_1(tan) __HELICON_LIBRARY_1(tanh)
__HELICON_LIBRARY_1(tgamma)
__HELICON_LIBRARY_2(atan2) __HELICON_LIBRARY_2(fdim) __HELICON_LIBRARY_2(fmod) __HELICON_LIBRARY_2(hypot)
__HELICON_LIBRARY_2(nextafter) __HELICON_QUICK_2(pow) __HELICON_LIBRARY_2(remainder)
__HELICON_TO_INTEGER(ilogb, int) __HELICON_TO_INTEGER(lrint, long) __HELICON_TO_INTEGER(llrint, long long)
__HELICON_TO_INTEGER(lround, long) __HELICON_TO_INTEGER(llround, long long)

// Functions that the C library does not have (or has as extensions).
__HELICON_QUICK_1(exp10) __HELICON_LIBRARY_1(rsqrt) __HELICON_LIBRARY_1(rcbrt) __HELICON_LIBRARY_1(sinpi)
__HELICON_LIBRARY_1(cospi) __HELICON_LIBRARY_1(erfinv) __HELICON_LIBRARY_1(erfcinv) __HELICON_LIBRARY_1(erfcx)
__HELICON_LIBRARY_1(normcdf) __HELICON_LIBRARY_1(normcdfinv) __HELICON_LIBRARY_1(j0) __HELICON_LIBRARY_1(j1)
__HELICON_LIBRARY_1(y0) __HELICON_LIBRARY_1(y1) __HELICON_LIBRARY_1(cyl_bessel_i0) __HELICON_LIBRARY_1(cyl_bessel_i1)
__HELICON_LIBRARY_2(rhypot)

__HELICON_MATH double fma(double, double, double) __asm__("__hl_fma");
__HELICON_MATH float fmaf(float, float, float) __asm__("__hl_fmaf");
extern "C" __HELICON_INLINE_MATH double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
extern "C" __HELICON_INLINE_MATH float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__HELICON_INLINE_MATH float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

#define __HELICON_SCALE(fn, type)                                                            \
  __HELICON_MATH double fn(double, type) __asm__("__hl_" #fn);                                \
  __HELICON_MATH float fn##f(float, type) __asm__("__hl_" #fn "f");                           \
  __HELICON_INLINE_MATH float fn(float x, type n) { return fn##f(x, n); }
__HELICON_SCALE(ldexp, int) __HELICON_SCALE(scalbn, int) __HELICON_SCALE(scalbln, long)

#define __HELICON_ORDER(fn)                                                                  \
  __HELICON_MATH double fn(int, double) __asm__("__hl_" #fn);                                 \
  __HELICON_MATH float fn##f(int, float) __asm__("__hl_" #fn "f");                            \
  __HELICON_INLINE_MATH float fn(int n, float x) { return fn##f(n, x); }
__HELICON_ORDER(jn) __HELICON_ORDER(yn)

__HELICON_MATH_OUT double frexp(double, int *) __asm__("__hl_frexp");
__HELICON_MATH_OUT float frexpf(float, int *) __asm__("__hl_frexpf");
__HELICON_INLINE_MATH float frexp(float x, int *e) { return frexpf(x, e); }
__HELICON_MATH_OUT double modf(double, double *) __asm__("__hl_modf");
__HELICON_MATH_OUT float modff(float, float *) __asm__("__hl_modff");
__HELICON_INLINE_MATH float modf(float x, float *i) { return modff(x, i); }
__HELICON_MATH_OUT double remquo(double, double, int *) __asm__("__hl_remquo");
__HELICON_MATH_OUT float remquof(float, float, int *) __asm__("__hl_remquof");
__HELICON_INLINE_MATH float remquo(float x, float y, int *q) { return remquof(x, y, q); }
__HELICON_MATH_OUT double nan(const char *) __asm__("__hl_nan");
__HELICON_MATH_OUT float nanf(const char *) __asm__("__hl_nanf");
__HELICON_MATH_OUT void sincos(double, double *, double *) __asm__("__hl_sincos");
__HELICON_MATH_OUT void sincosf(float, float *, float *) __asm__("__hl_sincosf");
__HELICON_INLINE_MATH void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
__HELICON_MATH_OUT void sincospi(double, double *, double *) __asm__("__hl_sincospi");
__HELICON_MATH_OUT void sincospif(float, float *, float *) __asm__("__hl_sincospif");
__HELICON_INLINE_MATH void sincospi(float x, float *s, float *c) { sincospif(x, s, c); }

__HELICON_MATH double norm3d(double, double, double) __asm__("__hl_norm3d");
__HELICON_MATH float norm3df(float, float, float) __asm__("__hl_norm3df");
__HELICON_MATH double rnorm3d(double, double, double) __asm__("__hl_rnorm3d");
__HELICON_MATH float rnorm3df(float, float, float) __asm__("__hl_rnorm3df");
__HELICON_MATH double norm4d(double, double, double, double) __asm__("__hl_norm4d");
__HELICON_MATH float norm4df(float, float, float, float) __asm__("__hl_norm4df");
__HELICON_MATH double rnorm4d(double, double, double, double) __asm__("__hl_rnorm4d");
__HELICON_MATH float rnorm4df(float, float, float, float) __asm__("__hl_rnorm4df");
__HELICON_MATH_OUT double norm(int, const double *) __asm__("__hl_norm");
__HELICON_MATH_OUT float normf(int, const float *) __asm__("__hl_normf");
__HELICON_MATH_OUT double rnorm(int, const double *) __asm__("__hl_rnorm");
__HELICON_MATH_OUT float rnormf(int, const float *) __asm__("__hl_rnormf");
__HELICON_INLINE_MATH float fdividef(float x, float y) { return x / y; }
__HELICON_INLINE_MATH double fdivide(double x, double y) { return x / y; }
__HELICON_INLINE_MATH float fdivide(float x, float y) { return x / y; }

__HELICON_INLINE_MATH int abs(int x) { return x < 0 ? static_cast<int>(0u - static_cast<unsigned int>(x)) : x; }
__HELICON_INLINE_MATH long abs(long x) { return x < 0 ? static_cast<long>(0ul - static_cast<unsigned long>(x)) : x; }
__HELICON_INLINE_MATH long long abs(long long x) {
  return x < 0 ? static_cast<long long>(0ull - static_cast<unsigned long long>(x)) : x;
}
__HELICON_INLINE_MATH long labs(long x) { return abs(x); }
__HELICON_INLINE_MATH long long llabs(long long x) { return abs(x); }
__HELICON_INLINE_MATH float abs(float x) { return __builtin_fabsf(x); }
__HELICON_INLINE_MATH double abs(double x) { return __builtin_fabs(x); }

namespace std {
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh;
using ::cbrt; using ::ceil; using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp;
using ::exp2; using ::expm1; using ::fabs; using ::fdim; using ::floor; using ::fma; using ::fmax; using ::fmin;
using ::fmod; using ::frexp; using ::hypot; using ::ilogb; using ::labs; using ::ldexp; using ::lgamma; using ::llabs;
using ::llrint; using ::llround; using ::log; using ::log10; using ::log1p; using ::log2; using ::logb; using ::lrint;
using ::lround; using ::modf; using ::nan; using ::nanf; using ::nearbyint; using ::nextafter; using ::pow;
using ::remainder; using ::remquo; using ::rint; using ::round; using ::scalbln; using ::scalbn; using ::sin;
using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma; using ::trunc;
}  // namespace std

#undef __HELICON_ORDER
#undef __HELICON_SCALE
#undef __HELICON_TO_INTEGER
#undef __HELICON_BUILTIN_2
#undef __HELICON_BUILTIN_1
#undef __HELICON_QUICK_2
#undef __HELICON_QUICK_1
#undef __HELICON_LIBRARY_2_AT
#undef __HELICON_LIBRARY_2
#undef __HELICON_LIBRARY_1_AT
#undef __HELICON_LIBRARY_1
#undef __HELICON_QUICK
#undef __HELICON_INTEGRAL
#undef __HELICON_INLINE_MATH
#undef __HELICON_MATH_OUT
#undef __HELICON_MATH

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exact functions on a floating-point value's parts: exponent, fraction, neighbours, integers.
#include "device/lib/lib.h"

namespace {

template <typename F> struct Parts;
template <> struct Parts<float> {
  using Bits = uint32;
  static constexpr int mantissa = 23, bias = 127;
};
template <> struct Parts<double> {
  using Bits = uint64;
  static constexpr int mantissa = 52, bias = 1023;
};
template <typename F> using Bits = typename Parts<F>::Bits;

template <typename F> __device__ F from_bits(Bits<F> b) { return __builtin_bit_cast(F, b); }
template <typename F> __device__ F power(int n) {
  return from_bits<F>(static_cast<Bits<F>>(n + Parts<F>::bias) << Parts<F>::mantissa);
}
template <typename F> __device__ int biased_exponent(F x) {
  return static_cast<int>(bits_of(x) >> Parts<F>::mantissa) & (2 * Parts<F>::bias + 1);
}

/// x * 2^n with one rounding: the steps before the last one are exact.
template <typename F> __device__ F scale(F x, long n) {
  constexpr int bias = Parts<F>::bias, digits = Parts<F>::mantissa + 1;
  for (int i = 0; i < 2 && n > bias; ++i) {
    x *= power<F>(bias);
    n -= bias;
  }
  for (int i = 0; i < 2 && n < 1 - bias; ++i) {
    x *= power<F>(1 - bias) * power<F>(digits);
    n += bias - 1 - digits;
  }
  n = n > bias ? bias : n < 1 - bias ? 1 - bias : n;
  return x * power<F>(static_cast<int>(n));
}

template <typename F> __device__ F split(F x, int *exponent) {
  int e = biased_exponent(x);
  if (x == 0 || e == 2 * Parts<F>::bias + 1) {
    *exponent = 0;
    return x;
  }
  int extra = 0;
  if (e == 0) {
    x *= power<F>(64);
    extra = 64;
    e = biased_exponent(x);
  }
  *exponent = e - extra - (Parts<F>::bias - 1);
  Bits<F> keep = ~(static_cast<Bits<F>>(2 * Parts<F>::bias + 1) << Parts<F>::mantissa);
  return from_bits<F>((bits_of(x) & keep) | static_cast<Bits<F>>(Parts<F>::bias - 1) << Parts<F>::mantissa);
}

template <typename F> __device__ F neighbour(F x, F towards) {
  if (x != x || towards != towards) {
    return x + towards;
  }
  if (x == towards) {
    return towards;
  }
  if (x == 0) {
    F smallest = from_bits<F>(1);
    return towards > 0 ? smallest : -smallest;
  }
  Bits<F> b = bits_of(x);
  return from_bits<F>((x < towards) == (x > 0) ? b + 1 : b - 1);
}

template <typename F> __device__ int integer_log(F x) {
  if (x == 0 || x != x) {
    return -2147483647 - 1;
  }
  if (__builtin_isinf(x)) {
    return 2147483647;
  }
  int e;
  split(x, &e);
  return e - 1;
}
template <typename F> __device__ F exponent_of(F x) {
  return x == 0 ? static_cast<F>(-1) / __builtin_fabs(x) : !__builtin_isfinite(x) ? x * x : static_cast<F>(integer_log(x));
}

template <typename F> __device__ long long to_integer(F integral) {
  constexpr long long smallest = -9223372036854775807ll - 1;
  return integral != integral || integral < static_cast<F>(-0x1p63) ? smallest
         : integral >= static_cast<F>(0x1p63)                       ? 9223372036854775807ll
                                                                    : static_cast<long long>(integral);
}

template <typename F> __device__ F whole_part(F x, F *whole) {
  F t = static_cast<F>(__builtin_trunc(x));
  *whole = t;
  F fraction = __builtin_isinf(x) ? static_cast<F>(0) : x - t;
  return static_cast<F>(__builtin_copysign(fraction, x));
}

}  // namespace

#define BOTH(DEFINE) DEFINE(double, ) DEFINE(float, f)
#define PARTS(F, suffix)                                                                                     \
  HL_API F __hl_ldexp##suffix(F x, int n) { return scale<F>(x, n); }                                         \
  HL_API F __hl_scalbn##suffix(F x, int n) { return scale<F>(x, n); }                                        \
  HL_API F __hl_scalbln##suffix(F x, long n) { return scale<F>(x, n); }                                      \
  HL_API F __hl_frexp##suffix(F x, int *e) { return split<F>(x, e); }                                        \
  HL_API F __hl_nextafter##suffix(F x, F y) { return neighbour<F>(x, y); }                                   \
  HL_API int __hl_ilogb##suffix(F x) { return integer_log<F>(x); }                                           \
  HL_API F __hl_logb##suffix(F x) { return exponent_of<F>(x); }                                              \
  HL_API long long __hl_llrint##suffix(F x) { return to_integer<F>(static_cast<F>(__builtin_rint(x))); }     \
  HL_API long __hl_lrint##suffix(F x) { return to_integer<F>(static_cast<F>(__builtin_rint(x))); }           \
  HL_API long long __hl_llround##suffix(F x) { return to_integer<F>(static_cast<F>(__builtin_round(x))); }   \
  HL_API long __hl_lround##suffix(F x) { return to_integer<F>(static_cast<F>(__builtin_round(x))); }         \
  HL_API F __hl_modf##suffix(F x, F *whole) { return whole_part<F>(x, whole); }                              \
  HL_API F __hl_fdim##suffix(F x, F y) { return x != x || y != y ? x + y : x > y ? x - y : static_cast<F>(0); }  \
  HL_API F __hl_nan##suffix(const char *) { return static_cast<F>(__builtin_nan("")); }
BOTH(PARTS)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Below the 16-bit floating-point types: rounding float and double to them in every mode, and integers to and from float.
#ifndef __HELICON_SMALL_FLOAT_ROUNDING_H__
#define __HELICON_SMALL_FLOAT_ROUNDING_H__

#include "helicon/small_float/bits.h"
#include "host_defines.h"
#include "vector_types.h"

#if defined(__CUDA__) || defined(__CUDACC__) || defined(__MUSACC__)
#include "helicon/device_runtime.h"
#else
#include <math.h>
#endif

/// A double as a float, rounded to odd: rounded once more to a 16-bit format it gives what the double itself would give.
__HELICON_SFD float __hl_to_odd(double x) {
  float nearest = static_cast<float>(x);
  double back = nearest;
  unsigned int bits = __hl_float_bits(nearest);
  bool adjust = (bits & 1) == 0 && back == back && back != x;
  return adjust ? __hl_bits_float(bits + (__builtin_fabs(back) > __builtin_fabs(x) ? -1u : 1u)) : nearest;
}

/// The bits of a float rounded to nearest even in the 16-bit format with `Mantissa` fraction bits.
template <int Mantissa> __HELICON_SFD unsigned short __hl_to_nearest_small(float x) {
  unsigned int bits = __hl_float_bits(x), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
  if (Mantissa == 7) {
    return static_cast<unsigned short>(x != x ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
  }
#if defined(__HELICON_DEVICE_PASS__)
  _Float16 rounded = static_cast<_Float16>(x);
  unsigned short pattern;
  __builtin_memcpy(&pattern, &rounded, 2);
  return static_cast<unsigned short>(x != x ? 0x7fffu : pattern);
#else
  // Below 2^-14 halves are the multiples of 2^-24, as floats between 0.5 and 1 are.
  unsigned int small = __hl_float_bits(__hl_bits_float(size) + 0.5f) - 0x3f000000u;
  unsigned int normal = (size - (112u << 23) + 0xfffu + (size >> 13 & 1)) >> 13;
  unsigned int finite = size < 113u << 23 ? small : normal;
  return static_cast<unsigned short>(x != x ? 0x7fffu : sign | (size >= 143u << 23 ? 0x7c00u : finite));
#endif
}

/// Rounds a double to the 16-bit format with `Mantissa` fraction bits and `Bias`; returns the bit pattern. All values of
/// float are doubles, so this serves both.
template <int Mantissa, int Bias> __HELICON_SFD unsigned short __hl_to_small(double x, __hl_round mode) {
  if (mode == __hl_nearest) {
    return __hl_to_nearest_small<Mantissa>(__hl_to_odd(x));
  }
  unsigned long long b = __hl_double_bits(x);
  unsigned int sign = static_cast<unsigned int>(b >> 63) << 15;
  unsigned int infinity = static_cast<unsigned int>(2 * Bias + 1) << Mantissa;
  int exponent = static_cast<int>(b >> 52 & 2047) - 1023;
  unsigned long long fraction = b & 0xfffffffffffffull;
  if (exponent == 1024) {
    return static_cast<unsigned short>(fraction != 0 ? 0x7fffu : sign | infinity);
  }
  if (exponent < -1022) {  // zero or a subnormal double: below everything here
    exponent = -1023;
    fraction = fraction != 0 ? 1 : 0;
  } else {
    fraction |= 1ull << 52;
  }
  if (fraction == 0) {
    return static_cast<unsigned short>(sign);
  }
  int shift = 52 - Mantissa + (exponent < 1 - Bias ? 1 - Bias - exponent : 0);
  unsigned long long kept = shift > 63 ? 0 : fraction >> shift;
  unsigned long long rest = shift > 63 ? 1 : fraction & ((1ull << shift) - 1);
  bool up = rest != 0 && ((mode == __hl_upward && sign == 0) || (mode == __hl_downward && sign != 0));
  unsigned int biased = exponent < 1 - Bias ? 1 : static_cast<unsigned int>(exponent + Bias);
  unsigned int result = ((biased - 1) << Mantissa) + static_cast<unsigned int>(kept) + (up ? 1 : 0);
  if (exponent > Bias || result >= infinity) {
    bool to_infinity = (mode == __hl_upward && sign == 0) || (mode == __hl_downward && sign != 0);
    result = to_infinity ? infinity : infinity - 1;
  }
  return static_cast<unsigned short>(sign | result);
}

template <int Mantissa, int Bias> __HELICON_SFD unsigned short __hl_to_small(float x, __hl_round mode) {
  return mode == __hl_nearest ? __hl_to_nearest_small<Mantissa>(x)
                              : __hl_to_small<Mantissa, Bias>(static_cast<double>(x), mode);
}

/// A 64-bit integer as a double that rounds to a 16-bit format as the integer itself would: the bits that do not fit are
/// kept as one sticky bit.
__HELICON_SFD double __hl_integer_to_odd(unsigned long long magnitude, bool negative) {
  if (magnitude >> 53 != 0) {
    magnitude = (magnitude & ~0x7ffull) | ((magnitude & 0x7ff) != 0 ? 0x800 : 0);
  }
  double x = static_cast<double>(magnitude);
  return negative ? -x : x;
}
__HELICON_SFD double __hl_integer_to_odd(long long x) {
  return __hl_integer_to_odd(x < 0 ? 0 - static_cast<unsigned long long>(x) : static_cast<unsigned long long>(x), x < 0);
}

/// a * b + c rounded to odd, for a final rounding to a 16-bit format. The product of two of its values is exact in double,
/// that of two halves in float too.
__HELICON_SFD float __hl_fused_halves_to_odd(float a, float b, float c) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  float p = a * b, s = p + c;
  float t = s - p;
  float error = (p - (s - t)) + (c - t);
  unsigned int bits = __hl_float_bits(s);
  if (error == error && error != 0 && (bits & 1) == 0 && (bits >> 23 & 255) != 255) {
    bits += (error > 0) == (s > 0) ? 1 : -1u;
  }
  return __hl_bits_float(bits);
}
__HELICON_SFD double __hl_fused_to_odd(double a, double b, double c) {
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
  double p = a * b, s = p + c;
  double t = s - p;
  double error = (p - (s - t)) + (c - t);
  unsigned long long bits = __hl_double_bits(s);
  if (error == error && error != 0 && (bits & 1) == 0 && (bits >> 52 & 2047) != 2047) {
    bits += (error > 0) == (s > 0) ? 1 : -1ull;
  }
  return __hl_bits_double(bits);
}

/// An integral float, clamped to T; NaN gives 0 (the top bit alone for 64-bit results).
template <typename T> __HELICON_SFD T __hl_small_to_integer(float whole) {
  constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  constexpr T top = static_cast<T>(static_cast<T>(1) << (sizeof(T) * 8 - 1));
  constexpr T least = is_signed ? top : 0, most = static_cast<T>(~least);
  if (whole != whole) {
    return sizeof(T) == 8 ? top : static_cast<T>(0);
  }
  return whole < static_cast<float>(least) ? least : whole >= static_cast<float>(most) ? most : static_cast<T>(whole);
}

#endif

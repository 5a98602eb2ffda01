// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of 8, 6 and 4 bits (a sign, an exponent, a fraction): rounding to nearest even, and as halves, which hold
// them all.
#ifndef __HELICON_SMALL_FLOAT_NARROW_H__
#define __HELICON_SMALL_FLOAT_NARROW_H__

#include "helicon/small_float/bits.h"

struct __hl_narrow_format {
  int bits, mantissa, bias;
  unsigned int largest;       // finite; the bits without the sign
  unsigned int too_large;     // what stands for more when it does not saturate
  unsigned int not_a_number;  // what a not-a-number becomes
  bool has_nan;               // above what stands for more, or that itself when it is not infinity
};

__HELICON_SFD __hl_narrow_format __hl_e4m3() { return {8, 3, 7, 0x7e, 0x7f, 0x7f, true}; }
__HELICON_SFD __hl_narrow_format __hl_e5m2() { return {8, 2, 15, 0x7b, 0x7c, 0x7f, true}; }
__HELICON_SFD __hl_narrow_format __hl_e3m2() { return {6, 2, 3, 0x1f, 0x1f, 0x1f, false}; }
__HELICON_SFD __hl_narrow_format __hl_e2m3() { return {6, 3, 1, 0x1f, 0x1f, 0x1f, false}; }
__HELICON_SFD __hl_narrow_format __hl_e2m1() { return {4, 1, 1, 0x07, 0x07, 0x07, false}; }

/// The bits of x rounded; of two numbers equally near the even one.
__HELICON_SFD unsigned int __hl_to_narrow(double x, __hl_narrow_format f, bool saturates,
                                          __hl_round mode = __hl_nearest) {
  const unsigned long long bits = __hl_double_bits(x);
  const unsigned int sign = static_cast<unsigned int>(bits >> 63) << (f.bits - 1);
  if (x != x) {
    return f.not_a_number;
  }
  const double size = __builtin_fabs(x);
  const double smallest_normal = __hl_bits_double(static_cast<unsigned long long>(1023 + 1 - f.bias) << 52);
  unsigned long long kept;
  bool is_inexact, is_upper_nearer;
  if (size < smallest_normal) {
    const double multiples =
        size * __hl_bits_double(static_cast<unsigned long long>(1023 + f.mantissa + f.bias - 1) << 52);
    kept = static_cast<unsigned long long>(multiples);
    const double rest = multiples - static_cast<double>(kept);
    is_inexact = rest != 0;
    is_upper_nearer = rest > 0.5 || (rest == 0.5 && (kept & 1) != 0);
  } else {
    const int drop = 52 - f.mantissa;
    const unsigned long long of_size = bits & 0x7fffffffffffffffull, middle = 1ull << (drop - 1),
                             rest = of_size & (2 * middle - 1);
    kept = (of_size >> drop) - (static_cast<unsigned long long>(1023 - f.bias) << f.mantissa);
    is_inexact = rest != 0;
    is_upper_nearer = rest > middle || (rest == middle && (kept & 1) != 0);
  }
  const bool grows = (mode == __hl_upward && sign == 0) || (mode == __hl_downward && sign != 0);
  kept += (mode == __hl_nearest ? is_upper_nearer : is_inexact && grows) ? 1 : 0;
  return sign | (kept > f.largest ? (saturates ? f.largest : f.too_large) : static_cast<unsigned int>(kept));
}

/// The bits of the half that has the same value.
__HELICON_SFD unsigned short __hl_narrow_to_half(unsigned int bits, __hl_narrow_format f) {
  const unsigned int size = bits & ((1u << (f.bits - 1)) - 1), sign = (bits >> (f.bits - 1) & 1) << 15;
  unsigned int result;
  if (f.has_nan && size > f.largest) {
    const bool is_infinity = size == f.too_large && f.too_large != f.not_a_number;
    result = is_infinity ? sign | 0x7c00u : 0x7fffu;
  } else if (size >> f.mantissa != 0 || size == 0) {
    result = sign | (size == 0 ? 0 : (size << (10 - f.mantissa)) + (static_cast<unsigned int>(15 - f.bias) << 10));
  } else if (f.bias == 15) {  // a subnormal half
    result = sign | size << (10 - f.mantissa);
  } else {
    const unsigned int lead = size >= 4 ? 2 : size >= 2 ? 1 : 0;
    result =
        sign | (lead + static_cast<unsigned int>(16 - f.bias - f.mantissa)) << 10 | ((size << (10 - lead)) & 0x3ffu);
  }
  return static_cast<unsigned short>(result);
}

#endif

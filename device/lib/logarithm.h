// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core of the double-precision logarithms: x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2).
#pragma once

#include "device/lib/double_double.h"
#include "device/lib/polynomial.h"

/// The exponent k of 2^k m with sqrt(1/2) <= m < sqrt(2), in the place that the exponent has in a double.
HL_LOCAL uint64 exponent_near_one(uint64 bits) { return (bits - 0x3fe6a09e667f3bcd) & 0xfff0000000000000; }
HL_LOCAL double exponent_value(uint64 e) {
  uint64 positive = (e + 0x4000000000000000) >> 52;  // k + 1024
  return double_of(0x4330000000000000 | positive) - (0x1p52 + 1024);
}

struct LogArgument {
  double k, f;
};
/// For positive finite x.
HL_LOCAL LogArgument reduce_log(double x) {
  bool is_tiny = x < 0x1p-1022;
  uint64 bits = bits_of(is_tiny ? x * 0x1p54 : x);
  uint64 e = exponent_near_one(bits);
  return {exponent_value(e) - (is_tiny ? 54 : 0), double_of(bits - e) - 1};
}

/// What a logarithm is where its argument is zero, negative, infinite or not a number.
HL_PURE float __hl_log_of_special(float x);

/// log(1 + f) = f - half_square + s * (half_square + rest), where s = f / (2 + f).
struct LogSeries {
  double s, half_square, rest;
};
HL_LOCAL LogSeries log_series(double f) {
  double s = f / (2 + f), z = s * s;
  // (log((1 + s) / (1 - s)) / s - 2) / z for |s| <= 3 - 2 sqrt(2): error 2^-51
  double p = polynomial(z, 0x1.5555555555558p-1, 0x1.99999999952d6p-2, 0x1.2492492df7bb4p-2, 0x1.c71c62db98fe7p-3,
                        0x1.7462b79461da2p-3, 0x1.39fe0117cde65p-3, 0x1.2b5cbd7334d54p-3);
  return {s, 0.5 * f * f, z * p};
}

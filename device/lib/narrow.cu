// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of floating-point numbers of 8, 6 and 4 bits that inline PTX names.
#include "device/lib/lib.h"

#include "helicon/small_float/narrow.h"

namespace {
/// The numbers are those of compiler/ptx/convert_narrow.cpp.
HL_LOCAL __hl_narrow_format format(uint32 number) {
  switch (number) {
    case 0: return __hl_e4m3();
    case 1: return __hl_e5m2();
    case 2: return __hl_e3m2();
    case 3: return __hl_e2m3();
    default: return __hl_e2m1();
  }
}
}  // namespace

/// To nearest even; what is too large becomes the largest number.
HL_PURE uint32 __hl_narrow_of_float(float x, uint32 number) { return __hl_to_narrow(x, format(number), true); }

/// The bits of a half.
HL_PURE uint32 __hl_half_of_narrow(uint32 bits, uint32 number) { return __hl_narrow_to_half(bits, format(number)); }

/// The exponent of |x| as a power of two, 2^-127 at least: towards zero or upwards. 255 is not a number.
HL_PURE uint32 __hl_e8m0_of_float(float x, uint32 upwards, uint32 saturates) {
  const uint32 size = __builtin_bit_cast(uint32, x) & 0x7fffffff, exponent = size >> 23, rest = size & 0x7fffff;
  if (size > 0x7f800000) {
    return 255;
  }
  // Of subnormal numbers 2^-127 is the largest power of two.
  const bool grows = upwards != 0 && (exponent == 0 ? rest > 0x400000 : rest != 0);
  const uint32 power = exponent + (grows ? 1 : 0);
  return power >= 255 && saturates != 0 ? 254 : power;
}

/// The bits of a bfloat.
HL_PURE uint32 __hl_bfloat_of_e8m0(uint32 bits) { return bits == 255 ? 0x7fff : bits == 0 ? 0x40 : bits << 7; }

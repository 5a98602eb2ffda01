// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of 8-bit floating-point numbers that inline PTX names.
#include "device/lib/lib.h"

#include "helicon/small_float/narrow.h"

namespace {
HL_LOCAL __hl_narrow_format format(uint32 is_e5m2) { return is_e5m2 != 0 ? __hl_e5m2() : __hl_e4m3(); }
}  // namespace

/// To nearest even; what is too large becomes the largest number.
HL_PURE uint32 __hl_fp8_of_float(float x, uint32 is_e5m2) { return __hl_to_narrow(x, format(is_e5m2), true); }

/// The bits of a half.
HL_PURE uint32 __hl_half_of_fp8(uint32 bits, uint32 is_e5m2) { return __hl_narrow_to_half(bits, format(is_e5m2)); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conversion functions of the 6- and 4-bit types. They saturate.
#ifndef __HELICON_SMALL_FLOAT_NARROW_CONVERSIONS_H__
#define __HELICON_SMALL_FLOAT_NARROW_CONVERSIONS_H__

#include "helicon/small_float/narrow_types.h"

/// `name`: fp6 or fp4, for which __nv_<name>_storage_t, __nv_<name>x2_storage_t and __nv_<name>_interpretation_t stand
/// and __hl_format_of(interpretation) gives the format; `width`: bits of one in a pair.
#define __HELICON_NARROW_CONVERSIONS(name, width)                                                                \
  __HELICON_SFD __nv_##name##_storage_t __nv_cvt_double_to_##name(double x, __nv_##name##_interpretation_t kind, \
                                                                  enum cudaRoundMode rounding) {                 \
    return static_cast<__nv_##name##_storage_t>(                                                                 \
        __hl_to_narrow(x, __hl_format_of(kind), true, static_cast<__hl_round>(rounding)));                       \
  }                                                                                                              \
  __HELICON_SFD __nv_##name##x2_storage_t __nv_cvt_double2_to_##name##x2(                                        \
      double2 x, __nv_##name##_interpretation_t kind, enum cudaRoundMode rounding) {                             \
    return static_cast<__nv_##name##x2_storage_t>(__nv_cvt_double_to_##name(x.x, kind, rounding) |               \
                                                  __nv_cvt_double_to_##name(x.y, kind, rounding) << width);      \
  }                                                                                                              \
  __HELICON_NARROW_FROM(name, float, float, double, x)                                                           \
  __HELICON_NARROW_FROM(name, halfraw, __half_raw, double, __half2float(__half(x)))                              \
  __HELICON_NARROW_FROM(name, bfloat16raw, __nv_bfloat16_raw, double, __bfloat162float(__nv_bfloat16(x)))        \
  __HELICON_NARROW_FROM(name##x2, float2, float2, double2, __hl_two_doubles(x))                                  \
  __HELICON_NARROW_FROM(name##x2, halfraw2, __half2_raw, double2, __hl_two_doubles(__half22float2(__half2(x))))  \
  __HELICON_NARROW_FROM(name##x2, bfloat16raw2, __nv_bfloat162_raw, double2,                                     \
                        __hl_two_doubles(__bfloat1622float2(__nv_bfloat162(x))))                                 \
  __HELICON_SFD __half_raw __nv_cvt_##name##_to_halfraw(__nv_##name##_storage_t x,                               \
                                                        __nv_##name##_interpretation_t kind) {                   \
    __half_raw result;                                                                                           \
    result.x = __hl_narrow_to_half(x, __hl_format_of(kind));                                                     \
    return result;                                                                                               \
  }                                                                                                              \
  __HELICON_SFD __half2_raw __nv_cvt_##name##x2_to_halfraw2(__nv_##name##x2_storage_t x,                         \
                                                            __nv_##name##_interpretation_t kind) {               \
    __half2_raw result;                                                                                          \
    result.x = __hl_narrow_to_half(x & ((1u << width) - 1), __hl_format_of(kind));                               \
    result.y = __hl_narrow_to_half(static_cast<unsigned int>(x) >> width, __hl_format_of(kind));                 \
    return result;                                                                                               \
  }

/// From `source`, whose values `wide` holds.
#define __HELICON_NARROW_FROM(target, source, type, wide, value)                                              \
  __HELICON_SFD __nv_##target##_storage_t __nv_cvt_##source##_to_##target(type x, __HELICON_NARROW_KIND kind, \
                                                                          enum cudaRoundMode rounding) {      \
    return __nv_cvt_##wide##_to_##target(value, kind, rounding);                                              \
  }

__HELICON_SFD double2 __hl_two_doubles(float2 x) {
  double2 result;
  result.x = x.x;
  result.y = x.y;
  return result;
}

#endif

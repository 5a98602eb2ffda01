// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 8-bit floating-point types: __nv_fp8_e4m3 (4 exponent bits, no infinity), __nv_fp8_e5m2 (5 exponent bits), the
// scale __nv_fp8_e8m0 (a power of two), their vectors of 2 and 4, and conversions with saturation modes.
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#if defined(__cplusplus)
#include "helicon/small_float/narrow_types.h"

#define __CUDA_FP8_TYPES_EXIST__

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t {
  __NV_NOSAT,      // too large: infinity, or not-a-number where there is none
  __NV_SATFINITE,  // too large: the largest number
} __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,
  __NV_E5M2,
} __nv_fp8_interpretation_t;

// --- numbers to 8 bits. Every source type is exact in double.

__HELICON_SFD __hl_narrow_format __hl_format_of(__nv_fp8_interpretation_t interpretation) {
  return interpretation == __NV_E4M3 ? __hl_e4m3() : __hl_e5m2();
}

/// To nearest even. Not-a-number has one encoding, the conversion instruction's.
__HELICON_SFD __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t interpretation) {
  return static_cast<__nv_fp8_storage_t>(__hl_to_narrow(x, __hl_format_of(interpretation), saturate == __NV_SATFINITE));
}
__HELICON_SFD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_double_to_fp8(x, saturate, interpretation);
}
__HELICON_SFD __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate, interpretation);
}
__HELICON_SFD __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t interpretation) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, interpretation);
}

__HELICON_SFD __nv_fp8x2_storage_t __hl_fp8_pair(__nv_fp8_storage_t low, __nv_fp8_storage_t high) {
  return static_cast<__nv_fp8x2_storage_t>(low | high << 8);
}
#define __HELICON_FP8_PAIR(name, source, one)                                                                     \
  __HELICON_SFD __nv_fp8x2_storage_t name(source x, __nv_saturation_t saturate,                                   \
                                          __nv_fp8_interpretation_t interpretation) {                             \
    return __hl_fp8_pair(one(x.x, saturate, interpretation), one(x.y, saturate, interpretation));                 \
  }
__HELICON_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
__HELICON_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
#undef __HELICON_FP8_PAIR
__HELICON_SFD __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t interpretation) {
  __half_raw low, high;
  low.x = x.x;
  high.x = x.y;
  return __hl_fp8_pair(__nv_cvt_halfraw_to_fp8(low, saturate, interpretation),
                       __nv_cvt_halfraw_to_fp8(high, saturate, interpretation));
}
__HELICON_SFD __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                                  __nv_fp8_interpretation_t interpretation) {
  __nv_bfloat16_raw low, high;
  low.x = x.x;
  high.x = x.y;
  return __hl_fp8_pair(__nv_cvt_bfloat16raw_to_fp8(low, saturate, interpretation),
                       __nv_cvt_bfloat16raw_to_fp8(high, saturate, interpretation));
}

// --- 8 bits to half, which holds them all

__HELICON_SFD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t interpretation) {
  __half_raw result;
  result.x = __hl_narrow_to_half(x, __hl_format_of(interpretation));
  return result;
}
__HELICON_SFD __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                     __nv_fp8_interpretation_t interpretation) {
  __half2_raw result;
  result.x = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x & 0xff), interpretation).x;
  result.y = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), interpretation).x;
  return result;
}
__HELICON_NARROW_FORMAT(__hl_as_e4m3, __hl_e4m3(), 8)
__HELICON_NARROW_FORMAT(__hl_as_e5m2, __hl_e5m2(), 8)
__HELICON_NARROW_TYPES(__hl_as_e4m3, __half2, __nv_fp8_e4m3, __nv_fp8_storage_t, __nv_fp8x2_e4m3, __nv_fp8x2_storage_t,
                       __nv_fp8x4_e4m3, __nv_fp8x4_storage_t)
__HELICON_NARROW_TYPES(__hl_as_e5m2, __half2, __nv_fp8_e5m2, __nv_fp8_storage_t, __nv_fp8x2_e5m2, __nv_fp8x2_storage_t,
                       __nv_fp8x4_e5m2, __nv_fp8x4_storage_t)

// --- e8m0: the bits are an exponent, 0xff is not-a-number; there is no sign and no zero

/// Rounds |x| to a power of two: up or towards zero. Not-a-number stays one; what is too large saturates or becomes one.
__HELICON_SFD __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double x, __nv_saturation_t saturate,
                                                         enum cudaRoundMode rounding) {
  if (x != x) {
    return 0xff;
  }
  const unsigned long long bits = __hl_double_bits(x) & 0x7fffffffffffffffull;
  long long exponent = static_cast<long long>(bits >> 52) - 1023 + 127;
  if (rounding == cudaRoundPosInf && (bits & 0xfffffffffffffull) != 0) {
    exponent += 1;
  }
  if (exponent < 0) {
    return 0;
  }
  return static_cast<__nv_fp8_storage_t>(exponent <= 254 ? exponent : saturate == __NV_SATFINITE ? 254 : 255);
}
__HELICON_SFD __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float x, __nv_saturation_t saturate,
                                                        enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(x, saturate, rounding);
}
__HELICON_SFD __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                              enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(__bfloat162float(__nv_bfloat16(x)), saturate, rounding);
}
__HELICON_SFD __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2 x, __nv_saturation_t saturate,
                                                             enum cudaRoundMode rounding) {
  return __hl_fp8_pair(__nv_cvt_float_to_e8m0(x.x, saturate, rounding), __nv_cvt_float_to_e8m0(x.y, saturate, rounding));
}
__HELICON_SFD __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2 x, __nv_saturation_t saturate,
                                                              enum cudaRoundMode rounding) {
  return __hl_fp8_pair(__nv_cvt_double_to_e8m0(x.x, saturate, rounding),
                       __nv_cvt_double_to_e8m0(x.y, saturate, rounding));
}
__HELICON_SFD __nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw x, __nv_saturation_t saturate,
                                                                   enum cudaRoundMode rounding) {
  __nv_bfloat16_raw low, high;
  low.x = x.x;
  high.x = x.y;
  return __hl_fp8_pair(__nv_cvt_bfloat16raw_to_e8m0(low, saturate, rounding),
                       __nv_cvt_bfloat16raw_to_e8m0(high, saturate, rounding));
}
__HELICON_SFD __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x) {
  __nv_bfloat16_raw result;
  result.x = static_cast<unsigned short>(x == 0xff ? 0x7fffu : x == 0 ? 0x40u : static_cast<unsigned int>(x) << 7);
  return result;
}
__HELICON_SFD __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t x) {
  __nv_bfloat162_raw result;
  result.x = __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x & 0xff)).x;
  result.y = __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x >> 8)).x;
  return result;
}

struct __hl_as_e8m0 {
  static constexpr int width = 8;
  static __host__ __device__ unsigned int bits(double x) {
    return __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf);
  }
  static __host__ __device__ float value(unsigned int bits) {
    return __bfloat162float(__nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(bits))));
  }
  static __host__ __device__ bool is_zero(unsigned int) { return false; }
};
__HELICON_NARROW_TYPES(__hl_as_e8m0, __nv_bfloat162, __nv_fp8_e8m0, __nv_fp8_storage_t, __nv_fp8x2_e8m0,
                       __nv_fp8x2_storage_t, __nv_fp8x4_e8m0, __nv_fp8x4_storage_t)

#endif
#endif

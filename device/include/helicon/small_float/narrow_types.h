// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of one, two and four narrow numbers. A Format says what a number of 8 bits or less is:
//   width              bits that one takes in a pair
//   bits(double)       the bits of the nearest number
//   value(bits)        its value
//   is_zero(bits)
#ifndef __HELICON_SMALL_FLOAT_NARROW_TYPES_H__
#define __HELICON_SMALL_FLOAT_NARROW_TYPES_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "helicon/small_float/narrow.h"

template <typename Format, typename Storage> struct __hl_narrow_one {
  Storage __x;

  __hl_narrow_one() = default;
  explicit __host__ __device__ __hl_narrow_one(double f) : __x(static_cast<Storage>(Format::bits(f))) {}
  explicit __host__ __device__ __hl_narrow_one(float f) : __hl_narrow_one(static_cast<double>(f)) {}
  explicit __host__ __device__ __hl_narrow_one(__half f) : __hl_narrow_one(__half2float(f)) {}
  explicit __host__ __device__ __hl_narrow_one(__nv_bfloat16 f) : __hl_narrow_one(__bfloat162float(f)) {}

  explicit __host__ __device__ operator float() const { return Format::value(__x); }
  explicit __host__ __device__ operator double() const { return float(*this); }
  explicit __host__ __device__ operator __half() const { return __half(float(*this)); }
  explicit __host__ __device__ operator __nv_bfloat16() const { return __nv_bfloat16(float(*this)); }
  explicit __host__ __device__ operator bool() const { return !Format::is_zero(__x); }

#define __HELICON_FROM(integer) \
  explicit __host__ __device__ __hl_narrow_one(integer i) : __hl_narrow_one(static_cast<double>(i)) {}
#define __HELICON_TO(integer)                                              \
  explicit __host__ __device__ operator integer() const {                  \
    return __hl_small_to_integer<integer>(__builtin_truncf(float(*this))); \
  }
#define __HELICON_BOTH(integer) __HELICON_FROM(integer) __HELICON_TO(integer)
  __HELICON_TO(char) __HELICON_TO(signed char) __HELICON_TO(unsigned char)
  __HELICON_BOTH(short) __HELICON_BOTH(unsigned short) __HELICON_BOTH(int) __HELICON_BOTH(unsigned int)
  __HELICON_BOTH(long) __HELICON_BOTH(unsigned long) __HELICON_BOTH(long long) __HELICON_BOTH(unsigned long long)
#undef __HELICON_BOTH
#undef __HELICON_TO
#undef __HELICON_FROM
};

template <typename Format> __HELICON_SFD unsigned int __hl_narrow_pair(double low, double high) {
  return Format::bits(low) | Format::bits(high) << Format::width;
}
template <typename Format> __HELICON_SFD float __hl_narrow_value(unsigned int bits, int number) {
  return Format::value(bits >> (number * Format::width) & ((1u << Format::width) - 1));
}

/// `Pair`: the 16-bit type that holds both.
template <typename Format, typename Storage, typename Pair> struct __hl_narrow_two {
  Storage __x;

  __hl_narrow_two() = default;
  explicit __host__ __device__ __hl_narrow_two(double2 f)
      : __x(static_cast<Storage>(__hl_narrow_pair<Format>(f.x, f.y))) {}
  explicit __host__ __device__ __hl_narrow_two(float2 f)
      : __x(static_cast<Storage>(__hl_narrow_pair<Format>(f.x, f.y))) {}
  explicit __host__ __device__ __hl_narrow_two(__half2 f) : __hl_narrow_two(__half22float2(f)) {}
  explicit __host__ __device__ __hl_narrow_two(__nv_bfloat162 f) : __hl_narrow_two(__bfloat1622float2(f)) {}

  explicit __host__ __device__ operator float2() const {
    float2 f;
    f.x = __hl_narrow_value<Format>(__x, 0);
    f.y = __hl_narrow_value<Format>(__x, 1);
    return f;
  }
  explicit __host__ __device__ operator Pair() const {
    const float2 f = float2(*this);
    return Pair(f.x, f.y);
  }
};

template <typename Format, typename Storage> struct __hl_narrow_four {
  Storage __x;

  __hl_narrow_four() = default;
#define __HELICON_FROM(type)                                                                             \
  explicit __host__ __device__ __hl_narrow_four(type f)                                                  \
      : __x(static_cast<Storage>(__hl_narrow_pair<Format>(f.x, f.y) | __hl_narrow_pair<Format>(f.z, f.w) \
                                                                          << 2 * Format::width)) {}
  __HELICON_FROM(float4) __HELICON_FROM(double4) __HELICON_FROM(double4_16a) __HELICON_FROM(double4_32a)
#undef __HELICON_FROM
  explicit __host__ __device__ __hl_narrow_four(__half2 low, __half2 high)
      : __hl_narrow_four(__half22float2(low), __half22float2(high)) {}
  explicit __host__ __device__ __hl_narrow_four(__nv_bfloat162 low, __nv_bfloat162 high)
      : __hl_narrow_four(__bfloat1622float2(low), __bfloat1622float2(high)) {}

  explicit __host__ __device__ operator float4() const {
    float4 f;
    f.x = __hl_narrow_value<Format>(__x, 0);
    f.y = __hl_narrow_value<Format>(__x, 1);
    f.z = __hl_narrow_value<Format>(__x, 2);
    f.w = __hl_narrow_value<Format>(__x, 3);
    return f;
  }

private:
  __host__ __device__ __hl_narrow_four(float2 low, float2 high)
      : __x(static_cast<Storage>(__hl_narrow_pair<Format>(low.x, low.y) | __hl_narrow_pair<Format>(high.x, high.y)
                                                                              << 2 * Format::width)) {}
};

/// The three types under their names.
#define __HELICON_NARROW_TYPES(Format, Pair, one, storage, two, storage2, four, storage4) \
  struct __align__(sizeof(storage)) one : __hl_narrow_one<Format, storage> {              \
    one() = default;                                                                      \
    using __hl_narrow_one<Format, storage>::__hl_narrow_one;                              \
  };                                                                                      \
  struct __align__(sizeof(storage2)) two : __hl_narrow_two<Format, storage2, Pair> {      \
    two() = default;                                                                      \
    using __hl_narrow_two<Format, storage2, Pair>::__hl_narrow_two;                       \
  };                                                                                      \
  struct __align__(sizeof(storage4)) four : __hl_narrow_four<Format, storage4> {          \
    four() = default;                                                                     \
    using __hl_narrow_four<Format, storage4>::__hl_narrow_four;                           \
  };

/// A Format that is a __hl_narrow_format, saturating.
#define __HELICON_NARROW_FORMAT(name, format, bits_of_one)                                             \
  struct name {                                                                                        \
    static constexpr int width = bits_of_one;                                                          \
    static __host__ __device__ unsigned int bits(double x) { return __hl_to_narrow(x, format, true); } \
    static __host__ __device__ float value(unsigned int bits) {                                        \
      return __half2float(__hl_half_of(__hl_narrow_to_half(bits, format)));                            \
    }                                                                                                  \
    static __host__ __device__ bool is_zero(unsigned int bits) {                                       \
      return (bits & ((1u << (format.bits - 1)) - 1)) == 0;                                            \
    }                                                                                                  \
  };

#endif

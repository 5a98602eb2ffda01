// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 16-bit floating-point type of IEEE 754 (binary16): __half, the pair __half2, and their functions.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#if defined(__cplusplus)
#include "helicon/small_float/rounding.h"

struct __align__(2) __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};

struct __half;
struct __nv_bfloat16;
__HELICON_SFD float __hl_widen(const __half &a);

struct __align__(2) __half {
protected:
  unsigned short __x;

public:
#if __cplusplus >= 201103L
  __half() = default;
#else
  __host__ __device__ __half() {}
#endif
  __host__ __device__ constexpr __half(const __half_raw &r) : __x(r.x) {}
  __host__ __device__ __half &operator=(const __half_raw &r) { __x = r.x; return *this; }
  __host__ __device__ operator __half_raw() const { __half_raw r; r.x = __x; return r; }
  __host__ __device__ operator __half_raw() const volatile { __half_raw r; r.x = __x; return r; }
  __host__ __device__ volatile __half &operator=(const __half_raw &r) volatile { __x = r.x; return *this; }

#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
  __host__ __device__ __half(float f) : __x(__hl_to_small<10, 15>(f, __hl_nearest)) {}
  explicit __host__ __device__ __half(__nv_bfloat16 f);  // defined where both types are known, in cuda_bf16.h
  __host__ __device__ __half(double f) : __x(__hl_to_small<10, 15>(f, __hl_nearest)) {}
#define __HELICON_SF_FROM(type) \
  __host__ __device__ __half(type i) : __x(__hl_to_small<10, 15>(__hl_integer_to_odd(static_cast<long long>(i)), __hl_nearest)) {} \
  __host__ __device__ __half &operator=(type i) { return *this = __half(i); }
  __HELICON_SF_FROM(short) __HELICON_SF_FROM(unsigned short) __HELICON_SF_FROM(int) __HELICON_SF_FROM(unsigned int)
  __HELICON_SF_FROM(long) __HELICON_SF_FROM(long long)
#undef __HELICON_SF_FROM
#define __HELICON_SF_FROM(type) \
  __host__ __device__ __half(type i) : __x(__hl_to_small<10, 15>(__hl_integer_to_odd(i, false), __hl_nearest)) {} \
  __host__ __device__ __half &operator=(type i) { return *this = __half(i); }
  __HELICON_SF_FROM(unsigned long) __HELICON_SF_FROM(unsigned long long)
#undef __HELICON_SF_FROM
  __host__ __device__ __half &operator=(float f) { return *this = __half(f); }
  __host__ __device__ __half &operator=(double f) { return *this = __half(f); }

  __host__ __device__ operator float() const { return __hl_widen(*this); }
#define __HELICON_SF_TO(type) \
  __host__ __device__ operator type() const { return __hl_small_to_integer<type>(__hl_truncated(__hl_widen(*this))); }
  __HELICON_SF_TO(char) __HELICON_SF_TO(signed char) __HELICON_SF_TO(unsigned char) __HELICON_SF_TO(short)
  __HELICON_SF_TO(unsigned short) __HELICON_SF_TO(int) __HELICON_SF_TO(unsigned int) __HELICON_SF_TO(long)
  __HELICON_SF_TO(unsigned long) __HELICON_SF_TO(long long) __HELICON_SF_TO(unsigned long long)
#undef __HELICON_SF_TO
  __host__ __device__ operator bool() const { return (__x & 0x7fffu) != 0; }
#endif

private:
  static __host__ __device__ float __hl_truncated(float x) { return __builtin_truncf(x); }
  friend __host__ __device__ unsigned short __hl_pattern(const __half &a);
};

// A value's 16 bits, and the value of 16 bits (the first argument names the type).
inline __host__ __device__ unsigned short __hl_pattern(const __half &a) { return a.__x; }
__HELICON_SFD __half __hl_from_pattern(const __half &, unsigned int bits) {
  __half_raw r;
  r.x = static_cast<unsigned short>(bits);
  return __half(r);
}
__HELICON_SFD __half __hl_half_of(unsigned int bits) {
  __half_raw r;
  r.x = static_cast<unsigned short>(bits);
  return __half(r);
}
__HELICON_SFD float __hl_widen(const __half &a) {
#if defined(__HELICON_DEVICE_PASS__)
  unsigned short pattern = __hl_pattern(a);
  _Float16 value;
  __builtin_memcpy(&value, &pattern, 2);
  return static_cast<float>(value);
#else
  unsigned int bits = __hl_pattern(a), sign = (bits & 0x8000u) << 16, rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) {
    return __hl_bits_float(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
  }
  // A subnormal is a whole number of 2^-24; the others only need the bias of float.
  return rest < 0x400u ? __hl_bits_float(sign | __hl_float_bits(static_cast<float>(rest) * 0x1p-24f))
                       : __hl_bits_float(sign | ((rest << 13) + (112u << 23)));
#endif
}

struct __align__(4) __half2 {
  __half x, y;
#if __cplusplus >= 201103L
  __half2() = default;
#else
  __host__ __device__ __half2() {}
#endif
  __host__ __device__ constexpr __half2(const __half &a, const __half &b) : x(a), y(b) {}
  __host__ __device__ __half2(const __half2_raw &r) : x(__hl_half_of(r.x)), y(__hl_half_of(r.y)) {}
  __host__ __device__ operator __half2_raw() const {
    __half2_raw r;
    r.x = __hl_pattern(x);
    r.y = __hl_pattern(y);
    return r;
  }
};

// From and to float, double and integers: rn to nearest even, rz towards zero, ru up, rd down.
#define __HELICON_SF_MODE(mode, name)                                                                                  \
  __HELICON_SFD __half __float2half_##mode(const float x) { return __hl_half_of(__hl_to_small<10, 15>(x, name)); }
__HELICON_SF_MODE(rn, __hl_nearest) __HELICON_SF_MODE(rz, __hl_to_zero)
__HELICON_SF_MODE(ru, __hl_upward) __HELICON_SF_MODE(rd, __hl_downward)
#undef __HELICON_SF_MODE
__HELICON_SFD __half __float2half(const float x) { return __float2half_rn(x); }
__HELICON_SFD __half __double2half(const double x) { return __hl_half_of(__hl_to_small<10, 15>(x, __hl_nearest)); }
__HELICON_SFD float __half2float(const __half a) { return __hl_widen(a); }

#define __HELICON_SF_INTEGER(name, type, widened)                                                                      \
  __HELICON_SFD __half __##name##2half_rn(const type i) { return __hl_half_of(__hl_to_small<10, 15>(static_cast<double>(widened), __hl_nearest)); }  \
  __HELICON_SFD __half __##name##2half_rz(const type i) { return __hl_half_of(__hl_to_small<10, 15>(static_cast<double>(widened), __hl_to_zero)); }  \
  __HELICON_SFD __half __##name##2half_ru(const type i) { return __hl_half_of(__hl_to_small<10, 15>(static_cast<double>(widened), __hl_upward)); }   \
  __HELICON_SFD __half __##name##2half_rd(const type i) { return __hl_half_of(__hl_to_small<10, 15>(static_cast<double>(widened), __hl_downward)); } \
  __HELICON_SFD type __half2##name##_rn(const __half a) { return __hl_small_to_integer<type>(__builtin_rintf(__hl_widen(a))); }           \
  __HELICON_SFD type __half2##name##_rz(const __half a) { return __hl_small_to_integer<type>(__builtin_truncf(__hl_widen(a))); }          \
  __HELICON_SFD type __half2##name##_ru(const __half a) { return __hl_small_to_integer<type>(__builtin_ceilf(__hl_widen(a))); }           \
  __HELICON_SFD type __half2##name##_rd(const __half a) { return __hl_small_to_integer<type>(__builtin_floorf(__hl_widen(a))); }
__HELICON_SF_INTEGER(int, int, i) __HELICON_SF_INTEGER(uint, unsigned int, i) __HELICON_SF_INTEGER(short, short, i)
__HELICON_SF_INTEGER(ushort, unsigned short, i) __HELICON_SF_INTEGER(ll, long long, __hl_integer_to_odd(i))
__HELICON_SF_INTEGER(ull, unsigned long long, __hl_integer_to_odd(i, false))
#undef __HELICON_SF_INTEGER
__HELICON_SFD signed char __half2char_rz(const __half a) { return __hl_small_to_integer<signed char>(__builtin_truncf(__hl_widen(a))); }
__HELICON_SFD unsigned char __half2uchar_rz(const __half a) { return __hl_small_to_integer<unsigned char>(__builtin_truncf(__hl_widen(a))); }

__HELICON_SFD short __half_as_short(const __half a) { return static_cast<short>(__hl_pattern(a)); }
__HELICON_SFD unsigned short __half_as_ushort(const __half a) { return __hl_pattern(a); }
__HELICON_SFD __half __short_as_half(const short i) { return __hl_half_of(static_cast<unsigned short>(i)); }
__HELICON_SFD __half __ushort_as_half(const unsigned short i) { return __hl_half_of(i); }

// Pairs made and taken apart.
__HELICON_SFD __half2 __halves2half2(const __half a, const __half b) { return __half2(a, b); }
__HELICON_SFD __half2 make_half2(const __half a, const __half b) { return __half2(a, b); }
__HELICON_SFD __half2 __half2half2(const __half a) { return __half2(a, a); }
__HELICON_SFD __half2 __float2half2_rn(const float x) { return __half2(__float2half_rn(x), __float2half_rn(x)); }
__HELICON_SFD __half2 __floats2half2_rn(const float x, const float y) { return __half2(__float2half_rn(x), __float2half_rn(y)); }
__HELICON_SFD __half2 __float22half2_rn(const float2 v) { return __floats2half2_rn(v.x, v.y); }
__HELICON_SFD float2 __half22float2(const __half2 a) { float2 r; r.x = __hl_widen(a.x); r.y = __hl_widen(a.y); return r; }
__HELICON_SFD float __low2float(const __half2 a) { return __hl_widen(a.x); }
__HELICON_SFD float __high2float(const __half2 a) { return __hl_widen(a.y); }
__HELICON_SFD __half __low2half(const __half2 a) { return a.x; }
__HELICON_SFD __half __high2half(const __half2 a) { return a.y; }
__HELICON_SFD __half2 __low2half2(const __half2 a) { return __half2(a.x, a.x); }
__HELICON_SFD __half2 __high2half2(const __half2 a) { return __half2(a.y, a.y); }
__HELICON_SFD __half2 __lowhigh2highlow(const __half2 a) { return __half2(a.y, a.x); }
__HELICON_SFD __half2 __lows2half2(const __half2 a, const __half2 b) { return __half2(a.x, b.x); }
__HELICON_SFD __half2 __highs2half2(const __half2 a, const __half2 b) { return __half2(a.y, b.y); }

#if defined(__CUDA_NO_HALF_OPERATORS__)
#define __HELICON_SF_NO_OPERATORS
#endif
#define __HELICON_SF __half
#define __HELICON_SF2 __half2
#define __HELICON_FUSED(a, b, c) __HELICON_NARROW(__hl_fused_halves_to_odd(a, b, c))
#define __HELICON_NARROW(x) __float2half_rn(x)
#define __HELICON_NARROW_DOUBLE(x) __double2half(x)
#include "helicon/small_float/operations.inc"
#undef __HELICON_NARROW_DOUBLE
#undef __HELICON_NARROW
#undef __HELICON_FUSED
#undef __HELICON_SF2
#undef __HELICON_SF
#undef __HELICON_SF_NO_OPERATORS

#if !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

// Constants, next to those of math_constants.h.
#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7c00))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7bff))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3c00))

#endif
#endif

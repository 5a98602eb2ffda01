// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 16-bit type with the exponent of float: __nv_bfloat16, the pair __nv_bfloat162, and their functions.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#if defined(__cplusplus)
#include "cuda_fp16.h"
#include "helicon/small_float/rounding.h"

struct __align__(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __nv_bfloat16;
__HELICON_SFD float __hl_widen(const __nv_bfloat16 &a);

struct __align__(2) __nv_bfloat16 {
protected:
  unsigned short __x;

public:
#if __cplusplus >= 201103L
  __nv_bfloat16() = default;
#else
  __host__ __device__ __nv_bfloat16() {}
#endif
  __host__ __device__ constexpr __nv_bfloat16(const __nv_bfloat16_raw &r) : __x(r.x) {}
  __host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r) { __x = r.x; return *this; }
  __host__ __device__ operator __nv_bfloat16_raw() const { __nv_bfloat16_raw r; r.x = __x; return r; }
  __host__ __device__ operator __nv_bfloat16_raw() const volatile { __nv_bfloat16_raw r; r.x = __x; return r; }
  __host__ __device__ volatile __nv_bfloat16 &operator=(const __nv_bfloat16_raw &r) volatile { __x = r.x; return *this; }

#if !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
  __host__ __device__ __nv_bfloat16(float f) : __x(__hl_to_small<7, 127>(f, __hl_nearest)) {}
  explicit __host__ __device__ __nv_bfloat16(__half f) : __x(__hl_to_small<7, 127>(__hl_widen(f), __hl_nearest)) {}
  __host__ __device__ __nv_bfloat16(double f) : __x(__hl_to_small<7, 127>(f, __hl_nearest)) {}
#define __HELICON_SF_FROM(type) \
  __host__ __device__ __nv_bfloat16(type i) : __x(__hl_to_small<7, 127>(__hl_integer_to_odd(static_cast<long long>(i)), __hl_nearest)) {} \
  __host__ __device__ __nv_bfloat16 &operator=(type i) { return *this = __nv_bfloat16(i); }
  __HELICON_SF_FROM(short) __HELICON_SF_FROM(unsigned short) __HELICON_SF_FROM(int) __HELICON_SF_FROM(unsigned int)
  __HELICON_SF_FROM(long) __HELICON_SF_FROM(long long)
#undef __HELICON_SF_FROM
#define __HELICON_SF_FROM(type) \
  __host__ __device__ __nv_bfloat16(type i) : __x(__hl_to_small<7, 127>(__hl_integer_to_odd(i, false), __hl_nearest)) {} \
  __host__ __device__ __nv_bfloat16 &operator=(type i) { return *this = __nv_bfloat16(i); }
  __HELICON_SF_FROM(unsigned long) __HELICON_SF_FROM(unsigned long long)
#undef __HELICON_SF_FROM
  __host__ __device__ __nv_bfloat16 &operator=(float f) { return *this = __nv_bfloat16(f); }
  __host__ __device__ __nv_bfloat16 &operator=(double f) { return *this = __nv_bfloat16(f); }

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
  friend __host__ __device__ unsigned short __hl_pattern(const __nv_bfloat16 &a);
};

// A value's 16 bits, and the value of 16 bits (the first argument names the type).
inline __host__ __device__ unsigned short __hl_pattern(const __nv_bfloat16 &a) { return a.__x; }
__HELICON_SFD __nv_bfloat16 __hl_from_pattern(const __nv_bfloat16 &, unsigned int bits) {
  __nv_bfloat16_raw r;
  r.x = static_cast<unsigned short>(bits);
  return __nv_bfloat16(r);
}
__HELICON_SFD __nv_bfloat16 __hl_bfloat16_of(unsigned int bits) {
  __nv_bfloat16_raw r;
  r.x = static_cast<unsigned short>(bits);
  return __nv_bfloat16(r);
}
__HELICON_SFD float __hl_widen(const __nv_bfloat16 &a) {
  return __hl_bits_float(static_cast<unsigned int>(__hl_pattern(a)) << 16);
}
#if !defined(__CUDA_NO_HALF_CONVERSIONS__)
inline __host__ __device__ __half::__half(__nv_bfloat16 f) : __x(__hl_to_small<10, 15>(__hl_widen(f), __hl_nearest)) {}
#endif

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
#if __cplusplus >= 201103L
  __nv_bfloat162() = default;
#else
  __host__ __device__ __nv_bfloat162() {}
#endif
  __host__ __device__ constexpr __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &r) : x(__hl_bfloat16_of(r.x)), y(__hl_bfloat16_of(r.y)) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    __nv_bfloat162_raw r;
    r.x = __hl_pattern(x);
    r.y = __hl_pattern(y);
    return r;
  }
};

// From and to float, double and integers: rn to nearest even, rz towards zero, ru up, rd down.
#define __HELICON_SF_MODE(mode, name)                                                                                  \
  __HELICON_SFD __nv_bfloat16 __float2bfloat16_##mode(const float x) { return __hl_bfloat16_of(__hl_to_small<7, 127>(x, name)); }
__HELICON_SF_MODE(rn, __hl_nearest) __HELICON_SF_MODE(rz, __hl_to_zero)
__HELICON_SF_MODE(ru, __hl_upward) __HELICON_SF_MODE(rd, __hl_downward)
#undef __HELICON_SF_MODE
__HELICON_SFD __nv_bfloat16 __float2bfloat16(const float x) { return __float2bfloat16_rn(x); }
__HELICON_SFD __nv_bfloat16 __double2bfloat16(const double x) { return __hl_bfloat16_of(__hl_to_small<7, 127>(x, __hl_nearest)); }
__HELICON_SFD float __bfloat162float(const __nv_bfloat16 a) { return __hl_widen(a); }

#define __HELICON_SF_INTEGER(name, type, widened)                                                                      \
  __HELICON_SFD __nv_bfloat16 __##name##2bfloat16_rn(const type i) { return __hl_bfloat16_of(__hl_to_small<7, 127>(static_cast<double>(widened), __hl_nearest)); }  \
  __HELICON_SFD __nv_bfloat16 __##name##2bfloat16_rz(const type i) { return __hl_bfloat16_of(__hl_to_small<7, 127>(static_cast<double>(widened), __hl_to_zero)); }  \
  __HELICON_SFD __nv_bfloat16 __##name##2bfloat16_ru(const type i) { return __hl_bfloat16_of(__hl_to_small<7, 127>(static_cast<double>(widened), __hl_upward)); }   \
  __HELICON_SFD __nv_bfloat16 __##name##2bfloat16_rd(const type i) { return __hl_bfloat16_of(__hl_to_small<7, 127>(static_cast<double>(widened), __hl_downward)); } \
  __HELICON_SFD type __bfloat162##name##_rn(const __nv_bfloat16 a) { return __hl_small_to_integer<type>(__builtin_rintf(__hl_widen(a))); }           \
  __HELICON_SFD type __bfloat162##name##_rz(const __nv_bfloat16 a) { return __hl_small_to_integer<type>(__builtin_truncf(__hl_widen(a))); }          \
  __HELICON_SFD type __bfloat162##name##_ru(const __nv_bfloat16 a) { return __hl_small_to_integer<type>(__builtin_ceilf(__hl_widen(a))); }           \
  __HELICON_SFD type __bfloat162##name##_rd(const __nv_bfloat16 a) { return __hl_small_to_integer<type>(__builtin_floorf(__hl_widen(a))); }
__HELICON_SF_INTEGER(int, int, i) __HELICON_SF_INTEGER(uint, unsigned int, i) __HELICON_SF_INTEGER(short, short, i)
__HELICON_SF_INTEGER(ushort, unsigned short, i) __HELICON_SF_INTEGER(ll, long long, __hl_integer_to_odd(i))
__HELICON_SF_INTEGER(ull, unsigned long long, __hl_integer_to_odd(i, false))
#undef __HELICON_SF_INTEGER
__HELICON_SFD signed char __bfloat162char_rz(const __nv_bfloat16 a) { return __hl_small_to_integer<signed char>(__builtin_truncf(__hl_widen(a))); }
__HELICON_SFD unsigned char __bfloat162uchar_rz(const __nv_bfloat16 a) { return __hl_small_to_integer<unsigned char>(__builtin_truncf(__hl_widen(a))); }

__HELICON_SFD short __bfloat16_as_short(const __nv_bfloat16 a) { return static_cast<short>(__hl_pattern(a)); }
__HELICON_SFD unsigned short __bfloat16_as_ushort(const __nv_bfloat16 a) { return __hl_pattern(a); }
__HELICON_SFD __nv_bfloat16 __short_as_bfloat16(const short i) { return __hl_bfloat16_of(static_cast<unsigned short>(i)); }
__HELICON_SFD __nv_bfloat16 __ushort_as_bfloat16(const unsigned short i) { return __hl_bfloat16_of(i); }

// Pairs made and taken apart.
__HELICON_SFD __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
__HELICON_SFD __nv_bfloat162 make_bfloat162(const __nv_bfloat16 a, const __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
__HELICON_SFD __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a) { return __nv_bfloat162(a, a); }
__HELICON_SFD __nv_bfloat162 __float2bfloat162_rn(const float x) { return __nv_bfloat162(__float2bfloat16_rn(x), __float2bfloat16_rn(x)); }
__HELICON_SFD __nv_bfloat162 __floats2bfloat162_rn(const float x, const float y) { return __nv_bfloat162(__float2bfloat16_rn(x), __float2bfloat16_rn(y)); }
__HELICON_SFD __nv_bfloat162 __float22bfloat162_rn(const float2 v) { return __floats2bfloat162_rn(v.x, v.y); }
__HELICON_SFD float2 __bfloat1622float2(const __nv_bfloat162 a) { float2 r; r.x = __hl_widen(a.x); r.y = __hl_widen(a.y); return r; }
__HELICON_SFD float __low2float(const __nv_bfloat162 a) { return __hl_widen(a.x); }
__HELICON_SFD float __high2float(const __nv_bfloat162 a) { return __hl_widen(a.y); }
__HELICON_SFD __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a) { return a.x; }
__HELICON_SFD __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a) { return a.y; }
__HELICON_SFD __nv_bfloat162 __low2bfloat162(const __nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
__HELICON_SFD __nv_bfloat162 __high2bfloat162(const __nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
__HELICON_SFD __nv_bfloat162 __lowhigh2highlow(const __nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
__HELICON_SFD __nv_bfloat162 __lows2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
__HELICON_SFD __nv_bfloat162 __highs2bfloat162(const __nv_bfloat162 a, const __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }

#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define __HELICON_SF_NO_OPERATORS
#endif
#define __HELICON_SF __nv_bfloat16
#define __HELICON_SF2 __nv_bfloat162
#define __HELICON_FUSED(a, b, c) __HELICON_NARROW_DOUBLE(__hl_fused_to_odd(a, b, c))
#define __HELICON_NARROW(x) __float2bfloat16_rn(x)
#define __HELICON_NARROW_DOUBLE(x) __double2bfloat16(x)
#include "helicon/small_float/operations.inc"
#undef __HELICON_NARROW_DOUBLE
#undef __HELICON_NARROW
#undef __HELICON_FUSED
#undef __HELICON_SF2
#undef __HELICON_SF
#undef __HELICON_SF_NO_OPERATORS

#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

// Constants, next to those of math_constants.h.
#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f80))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7fff))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7f7f))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3f80))

#endif
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversion intrinsics. Float to integer clamps to the type's range; a NaN gives 0, or the top bit alone where the source
// is double or the result has 64 bits.
#ifndef __HELICON_DEVICE_CONVERT_H__
#define __HELICON_DEVICE_CONVERT_H__

#define __HELICON_CONVERT __device__ __forceinline__

// Integral value x to type T, clamped. `low` and `beyond` bound the values that fit: low <= x < beyond.
template <typename __T, typename __F> __HELICON_CONVERT __T __hl_clamp_to(__F x, __F low, __F beyond, __T nan) {
  constexpr bool is_signed = static_cast<__T>(-1) < static_cast<__T>(0);
  constexpr __T top = static_cast<__T>(static_cast<__T>(1) << (sizeof(__T) * 8 - 1));
  constexpr __T smallest = is_signed ? top : 0;
  constexpr __T largest = static_cast<__T>(~smallest);
  return x != x ? nan : x < low ? smallest : x >= beyond ? largest : static_cast<__T>(x);
}

#define __HELICON_TO_INT(name, type, from, f, low, beyond, nan)                                                       \
  __HELICON_CONVERT type __##name##_rz(from x) { return __hl_clamp_to<type, from>(__builtin_trunc##f(x), low, beyond, nan); } \
  __HELICON_CONVERT type __##name##_rn(from x) { return __hl_clamp_to<type, from>(__builtin_rint##f(x), low, beyond, nan); }  \
  __HELICON_CONVERT type __##name##_ru(from x) { return __hl_clamp_to<type, from>(__builtin_ceil##f(x), low, beyond, nan); }  \
  __HELICON_CONVERT type __##name##_rd(from x) { return __hl_clamp_to<type, from>(__builtin_floor##f(x), low, beyond, nan); }
__HELICON_TO_INT(float2int, int, float, f, -0x1p31f, 0x1p31f, 0)
__HELICON_TO_INT(float2uint, unsigned int, float, f, 0.0f, 0x1p32f, 0)
__HELICON_TO_INT(float2ll, long long, float, f, -0x1p63f, 0x1p63f, static_cast<long long>(1ull << 63))
__HELICON_TO_INT(float2ull, unsigned long long, float, f, 0.0f, 0x1p64f, 1ull << 63)
__HELICON_TO_INT(double2int, int, double, , -0x1p31, 0x1p31, static_cast<int>(1u << 31))
__HELICON_TO_INT(double2uint, unsigned int, double, , 0.0, 0x1p32, 1u << 31)
__HELICON_TO_INT(double2ll, long long, double, , -0x1p63, 0x1p63, static_cast<long long>(1ull << 63))
__HELICON_TO_INT(double2ull, unsigned long long, double, , 0.0, 0x1p64, 1ull << 63)
#undef __HELICON_TO_INT

// To floating point.
__HELICON_CONVERT float __int2float_rn(int x) { return static_cast<float>(x); }
__HELICON_CONVERT float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
__HELICON_CONVERT float __ll2float_rn(long long x) { return static_cast<float>(x); }
__HELICON_CONVERT float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
__HELICON_CONVERT double __int2double_rn(int x) { return static_cast<double>(x); }
__HELICON_CONVERT double __uint2double_rn(unsigned int x) { return static_cast<double>(x); }
__HELICON_CONVERT double __ll2double_rn(long long x) { return static_cast<double>(x); }
__HELICON_CONVERT double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
__HELICON_CONVERT float __double2float_rn(double x) { return static_cast<float>(x); }
#define __HELICON_ROUNDED extern "C" __device__ __attribute__((const, noconvergent))
#define __HELICON_MODE(m)                                                                            \
  __HELICON_ROUNDED float __double2float_##m(double) __asm__("__hl_double2float_" #m);               \
  __HELICON_ROUNDED float __ll2float_##m(long long) __asm__("__hl_ll2float_" #m);                    \
  __HELICON_ROUNDED float __ull2float_##m(unsigned long long) __asm__("__hl_ull2float_" #m);         \
  __HELICON_ROUNDED double __ll2double_##m(long long) __asm__("__hl_ll2double_" #m);                 \
  __HELICON_ROUNDED double __ull2double_##m(unsigned long long) __asm__("__hl_ull2double_" #m);      \
  __HELICON_CONVERT float __int2float_##m(int x) { return __ll2float_##m(x); }                       \
  __HELICON_CONVERT float __uint2float_##m(unsigned int x) { return __ull2float_##m(x); }
__HELICON_MODE(rz)
__HELICON_MODE(ru)
__HELICON_MODE(rd)
#undef __HELICON_MODE
#undef __HELICON_ROUNDED

// Bits as they are.
__HELICON_CONVERT int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__HELICON_CONVERT unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
__HELICON_CONVERT float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__HELICON_CONVERT float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
__HELICON_CONVERT long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__HELICON_CONVERT double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__HELICON_CONVERT int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
__HELICON_CONVERT int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
__HELICON_CONVERT double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>((static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32) |
                                                     static_cast<unsigned int>(low)));
}

#undef __HELICON_CONVERT

#endif

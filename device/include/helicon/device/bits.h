// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private helpers of these headers: a value's bits, and small type traits that need no standard header.
#ifndef __HELICON_DEVICE_BITS_H__
#define __HELICON_DEVICE_BITS_H__

#define __HELICON_HD __host__ __device__ __forceinline__

__HELICON_HD constexpr unsigned int __hl_bits(float v) { return __builtin_bit_cast(unsigned int, v); }
__HELICON_HD constexpr unsigned long long __hl_bits(double v) { return __builtin_bit_cast(unsigned long long, v); }
__HELICON_HD constexpr unsigned long long __hl_bits(long v) { return static_cast<unsigned long long>(v); }
__HELICON_HD constexpr unsigned long long __hl_bits(unsigned long v) { return v; }
__HELICON_HD constexpr unsigned long long __hl_bits(long long v) { return static_cast<unsigned long long>(v); }
__HELICON_HD constexpr unsigned long long __hl_bits(unsigned long long v) { return v; }
template <typename __To, typename __From> __HELICON_HD constexpr __To __hl_from_bits(__From v) {
  return __builtin_bit_cast(__To, v);
}

template <bool, typename __T = void> struct __hl_enable_if {};
template <typename __T> struct __hl_enable_if<true, __T> {
  typedef __T type;
};

#endif

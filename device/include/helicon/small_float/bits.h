// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point numbers as bits, and bits as numbers; the ways to round. Needs the execution space specifiers.
#ifndef __HELICON_SMALL_FLOAT_BITS_H__
#define __HELICON_SMALL_FLOAT_BITS_H__

#define __HELICON_SFD static inline __host__ __device__

enum __hl_round { __hl_nearest, __hl_to_zero, __hl_upward, __hl_downward };  // in the order of cudaRoundMode

__HELICON_SFD unsigned int __hl_float_bits(float x) {
  unsigned int b;
  __builtin_memcpy(&b, &x, 4);
  return b;
}
__HELICON_SFD float __hl_bits_float(unsigned int b) {
  float x;
  __builtin_memcpy(&x, &b, 4);
  return x;
}
__HELICON_SFD unsigned long long __hl_double_bits(double x) {
  unsigned long long b;
  __builtin_memcpy(&b, &x, 8);
  return b;
}
__HELICON_SFD double __hl_bits_double(unsigned long long b) {
  double x;
  __builtin_memcpy(&x, &b, 8);
  return x;
}

#endif

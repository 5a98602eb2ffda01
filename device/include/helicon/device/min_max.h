// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The combined integer minimum and maximum functions __vimax3_s32, __viaddmin_u16x2, __vibmax_s16x2 …, on both sides.
// Names: vi(add)?(max|min)3?, the lane type, and relu for a result clamped at zero.
#ifndef __HELICON_DEVICE_MIN_MAX_H__
#define __HELICON_DEVICE_MIN_MAX_H__

template <typename __T> __HELICON_HD constexpr __T __hl_max(__T a, __T b) { return a > b ? a : b; }
template <typename __T> __HELICON_HD constexpr __T __hl_min(__T a, __T b) { return a < b ? a : b; }

// Applies the expression to both halfwords; `half` is the type of x, y and z.
#define __HELICON_HALVES(half, value)                                                                          \
  unsigned int result = 0;                                                                                     \
  for (int at = 0; at < 32; at += 16) {                                                                        \
    half x = static_cast<half>(a >> at), y = static_cast<half>(b >> at), z = static_cast<half>(c >> at);       \
    (void)z;                                                                                                   \
    result |= static_cast<unsigned int>(static_cast<unsigned short>(value)) << at;                             \
  }                                                                                                            \
  return result;

#define __HELICON_EXTREME(op)                                                                                          \
  __HELICON_HD int __vi##op##3_s32(int a, int b, int c) { return __hl_##op(__hl_##op(a, b), c); }                      \
  __HELICON_HD unsigned int __vi##op##3_u32(unsigned int a, unsigned int b, unsigned int c) {                          \
    return __hl_##op(__hl_##op(a, b), c);                                                                              \
  }                                                                                                                    \
  __HELICON_HD int __vi##op##3_s32_relu(int a, int b, int c) { return __hl_max(__vi##op##3_s32(a, b, c), 0); }         \
  __HELICON_HD int __vi##op##_s32_relu(int a, int b) { return __hl_max(__hl_##op(a, b), 0); }                          \
  __HELICON_HD int __viadd##op##_s32(int a, int b, int c) {                                                            \
    return __hl_##op(static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)), c);                \
  }                                                                                                                    \
  __HELICON_HD unsigned int __viadd##op##_u32(unsigned int a, unsigned int b, unsigned int c) {                        \
    return __hl_##op(a + b, c);                                                                                        \
  }                                                                                                                    \
  __HELICON_HD int __viadd##op##_s32_relu(int a, int b, int c) { return __hl_max(__viadd##op##_s32(a, b, c), 0); }     \
  __HELICON_HD unsigned int __vi##op##3_s16x2(unsigned int a, unsigned int b, unsigned int c) {                        \
    __HELICON_HALVES(short, __hl_##op(__hl_##op(x, y), z))                                                             \
  }                                                                                                                    \
  __HELICON_HD unsigned int __vi##op##3_u16x2(unsigned int a, unsigned int b, unsigned int c) {                        \
    __HELICON_HALVES(unsigned short, __hl_##op(__hl_##op(x, y), z))                                                    \
  }                                                                                                                    \
  __HELICON_HD unsigned int __vi##op##3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                   \
    __HELICON_HALVES(short, __hl_max<short>(__hl_##op(__hl_##op(x, y), z), 0))                                         \
  }                                                                                                                    \
  __HELICON_HD unsigned int __vi##op##_s16x2_relu(unsigned int a, unsigned int b) {                                    \
    constexpr unsigned int c = 0;                                                                                      \
    __HELICON_HALVES(short, __hl_max<short>(__hl_##op(x, y), 0))                                                       \
  }                                                                                                                    \
  __HELICON_HD unsigned int __viadd##op##_s16x2(unsigned int a, unsigned int b, unsigned int c) {                      \
    __HELICON_HALVES(short, __hl_##op(static_cast<short>(x + y), z))                                                   \
  }                                                                                                                    \
  __HELICON_HD unsigned int __viadd##op##_u16x2(unsigned int a, unsigned int b, unsigned int c) {                      \
    __HELICON_HALVES(unsigned short, __hl_##op(static_cast<unsigned short>(x + y), z))                                 \
  }                                                                                                                    \
  __HELICON_HD unsigned int __viadd##op##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {                 \
    __HELICON_HALVES(short, __hl_max<short>(__hl_##op(static_cast<short>(x + y), z), 0))                               \
  }
__HELICON_EXTREME(max)
__HELICON_EXTREME(min)
#undef __HELICON_EXTREME
#undef __HELICON_HALVES

// With a predicate: whether the first argument is the result.
#define __HELICON_PICK(op, compare)                                                                                     \
  __HELICON_HD int __vib##op##_s32(int a, int b, bool *first) { *first = a compare b; return *first ? a : b; }          \
  __HELICON_HD unsigned int __vib##op##_u32(unsigned int a, unsigned int b, bool *first) {                              \
    *first = a compare b;                                                                                               \
    return *first ? a : b;                                                                                              \
  }                                                                                                                     \
  __HELICON_HD unsigned int __vib##op##_s16x2(unsigned int a, unsigned int b, bool *high, bool *low) {                  \
    *high = static_cast<short>(a >> 16) compare static_cast<short>(b >> 16);                                            \
    *low = static_cast<short>(a) compare static_cast<short>(b);                                                         \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                                                \
  }                                                                                                                     \
  __HELICON_HD unsigned int __vib##op##_u16x2(unsigned int a, unsigned int b, bool *high, bool *low) {                  \
    *high = (a >> 16)compare(b >> 16);                                                                                  \
    *low = (a & 0xffffu)compare(b & 0xffffu);                                                                           \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                                                \
  }
__HELICON_PICK(max, >=)
__HELICON_PICK(min, <=)
#undef __HELICON_PICK

#endif

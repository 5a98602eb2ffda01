// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SIMD within a word: two halfwords (…2) or four bytes (…4) of an unsigned int, lane by lane.
#ifndef __HELICON_DEVICE_PACKED_H__
#define __HELICON_DEVICE_PACKED_H__

#define __HELICON_PACKED __device__ __forceinline__

// The value of a lane: signed or unsigned, 16 or 8 bits.
template <int __Bits, bool __Signed> __HELICON_PACKED int __hl_lane(unsigned int word, int lane) {
  unsigned int bits = word >> (lane * __Bits);
  return __Bits == 16 ? (__Signed ? static_cast<int>(static_cast<short>(bits)) : static_cast<int>(bits & 0xffff))
                      : (__Signed ? static_cast<int>(static_cast<signed char>(bits)) : static_cast<int>(bits & 0xff));
}
__HELICON_PACKED int __hl_clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

// name##2 and name##4: `value` is an int expression in the lane values x and y; its low bits are the result's lane.
#define __HELICON_PACKED_ONE(name, lanes, bits, is_signed, value)                                   \
  __HELICON_PACKED unsigned int name##lanes(unsigned int a, unsigned int b) {                       \
    constexpr int low = is_signed ? -(1 << (bits - 1)) : 0;                                         \
    constexpr int high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;                       \
    constexpr unsigned int ones = (1u << bits) - 1;                                                 \
    (void)low; (void)high;                                                                          \
    unsigned int result = 0;                                                                        \
    for (int lane = 0; lane < lanes; ++lane) {                                                      \
      int x = __hl_lane<bits, is_signed>(a, lane), y = __hl_lane<bits, is_signed>(b, lane);         \
      (void)y;                                                                                      \
      result |= (static_cast<unsigned int>(value) & ones) << (lane * bits);                         \
    }                                                                                               \
    return result;                                                                                  \
  }
#define __HELICON_PACKED_BOTH(name, is_signed, value)         \
  __HELICON_PACKED_ONE(name, 2, 16, is_signed, value)         \
  __HELICON_PACKED_ONE(name, 4, 8, is_signed, value)
#define __HELICON_PACKED_UNARY(name, value)                                                                    \
  __HELICON_PACKED_BOTH(__hl_##name, true, value)                                                              \
  __HELICON_PACKED unsigned int __##name##2(unsigned int a) { return __hl_##name##2(a, 0); }                   \
  __HELICON_PACKED unsigned int __##name##4(unsigned int a) { return __hl_##name##4(a, 0); }

__HELICON_PACKED_UNARY(vabs, x < 0 ? -x : x)
__HELICON_PACKED_UNARY(vabsss, __hl_clamp(x < 0 ? -x : x, low, high))
__HELICON_PACKED_UNARY(vneg, -x)
__HELICON_PACKED_UNARY(vnegss, __hl_clamp(-x, low, high))
__HELICON_PACKED_BOTH(__vabsdiffs, true, x > y ? x - y : y - x)
__HELICON_PACKED_BOTH(__vabsdiffu, false, x > y ? x - y : y - x)
__HELICON_PACKED_BOTH(__vadd, false, x + y)
__HELICON_PACKED_BOTH(__vaddss, true, __hl_clamp(x + y, low, high))
__HELICON_PACKED_BOTH(__vaddus, false, __hl_clamp(x + y, low, high))
__HELICON_PACKED_BOTH(__vsub, false, x - y)
__HELICON_PACKED_BOTH(__vsubss, true, __hl_clamp(x - y, low, high))
__HELICON_PACKED_BOTH(__vsubus, false, __hl_clamp(x - y, low, high))
__HELICON_PACKED_BOTH(__vavgs, true, (x + y + (x + y >= 0)) >> 1)
__HELICON_PACKED_BOTH(__vavgu, false, (x + y + 1) >> 1)
__HELICON_PACKED_BOTH(__vhaddu, false, (x + y) >> 1)
__HELICON_PACKED_BOTH(__vmaxs, true, x > y ? x : y)
__HELICON_PACKED_BOTH(__vmaxu, false, x > y ? x : y)
__HELICON_PACKED_BOTH(__vmins, true, x < y ? x : y)
__HELICON_PACKED_BOTH(__vminu, false, x < y ? x : y)

// Comparisons: all ones or zero (vcmp), one or zero (vset).
#define __HELICON_PACKED_COMPARE(suffix, is_signed, op)                 \
  __HELICON_PACKED_BOTH(__vcmp##suffix, is_signed, -(x op y))           \
  __HELICON_PACKED_BOTH(__vset##suffix, is_signed, x op y)
__HELICON_PACKED_COMPARE(eq, false, ==)
__HELICON_PACKED_COMPARE(ne, false, !=)
__HELICON_PACKED_COMPARE(ges, true, >=)
__HELICON_PACKED_COMPARE(geu, false, >=)
__HELICON_PACKED_COMPARE(gts, true, >)
__HELICON_PACKED_COMPARE(gtu, false, >)
__HELICON_PACKED_COMPARE(les, true, <=)
__HELICON_PACKED_COMPARE(leu, false, <=)
__HELICON_PACKED_COMPARE(lts, true, <)
__HELICON_PACKED_COMPARE(ltu, false, <)

// Sums over the lanes of |x - y|.
#define __HELICON_PACKED_SAD(name, lanes, bits, is_signed)                                     \
  __HELICON_PACKED unsigned int name(unsigned int a, unsigned int b) {                         \
    unsigned int sum = 0;                                                                      \
    for (int lane = 0; lane < lanes; ++lane) {                                                 \
      int x = __hl_lane<bits, is_signed>(a, lane), y = __hl_lane<bits, is_signed>(b, lane);    \
      sum += static_cast<unsigned int>(x > y ? x - y : y - x);                                 \
    }                                                                                          \
    return sum;                                                                                \
  }
__HELICON_PACKED_SAD(__vsads2, 2, 16, true)
__HELICON_PACKED_SAD(__vsads4, 4, 8, true)
__HELICON_PACKED_SAD(__vsadu2, 2, 16, false)
__HELICON_PACKED_SAD(__vsadu4, 4, 8, false)

#undef __HELICON_PACKED_SAD
#undef __HELICON_PACKED_COMPARE
#undef __HELICON_PACKED_UNARY
#undef __HELICON_PACKED_BOTH
#undef __HELICON_PACKED_ONE
#undef __HELICON_PACKED

#endif

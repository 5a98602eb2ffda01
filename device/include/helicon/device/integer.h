// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer intrinsics: bit counting, byte permutation, high products, funnel shifts, dot products, averages.
#ifndef __HELICON_DEVICE_INTEGER_H__
#define __HELICON_DEVICE_INTEGER_H__

#define __HELICON_INT __device__ __forceinline__

__HELICON_INT int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
__HELICON_INT int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
__HELICON_INT int __ffs(int x) { return __builtin_ffs(x); }
__HELICON_INT int __ffsll(long long x) { return __builtin_ffsll(x); }
__HELICON_INT int __popc(unsigned int x) { return __builtin_popcount(x); }
__HELICON_INT int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
__HELICON_INT unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
__HELICON_INT unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
__HELICON_INT unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
__HELICON_INT unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
__HELICON_INT unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

// Selects four of the eight bytes of y:x by the low three bits of each nibble of s.
__HELICON_INT unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  unsigned long long bytes = (static_cast<unsigned long long>(y) << 32) | x;
  return (static_cast<unsigned int>(bytes >> ((s & 7) * 8)) & 0xff) |
         (static_cast<unsigned int>(bytes >> ((s >> 4 & 7) * 8)) & 0xff) << 8 |
         (static_cast<unsigned int>(bytes >> ((s >> 8 & 7) * 8)) & 0xff) << 16 |
         (static_cast<unsigned int>(bytes >> ((s >> 12 & 7) * 8)) & 0xff) << 24;
}

// Products of the low 24 bits; the low 32 bits of the product.
__HELICON_INT int __mul24(int x, int y) {
  return static_cast<int>(static_cast<unsigned int>(static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8) *
                          static_cast<unsigned int>(static_cast<int>(static_cast<unsigned int>(y) << 8) >> 8));
}
__HELICON_INT unsigned int __umul24(unsigned int x, unsigned int y) { return (x & 0xffffff) * (y & 0xffffff); }
__HELICON_INT int __mulhi(int x, int y) { return static_cast<int>((static_cast<long long>(x) * y) >> 32); }
__HELICON_INT unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32);
}
__HELICON_INT long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
__HELICON_INT unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}

// |x - y| + z
__HELICON_INT unsigned int __sad(int x, int y, unsigned int z) {
  return (x > y ? static_cast<unsigned int>(x) - static_cast<unsigned int>(y)
                : static_cast<unsigned int>(y) - static_cast<unsigned int>(x)) + z;
}
__HELICON_INT unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) { return (x > y ? x - y : y - x) + z; }

// Averages that do not overflow; the r forms round up.
__HELICON_INT int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
__HELICON_INT int __rhadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1); }
__HELICON_INT unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
__HELICON_INT unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// Shifts of high:low; the c forms clamp the amount at 32.
__HELICON_INT unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((((static_cast<unsigned long long>(high) << 32) | low) << (shift & 31)) >> 32);
}
__HELICON_INT unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>(((static_cast<unsigned long long>(high) << 32) | low) >> (shift & 31));
}
__HELICON_INT unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__HELICON_INT unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// Dot products of packed bytes with packed bytes (dp4a) or with two 16-bit halves (dp2a).
#define __HELICON_DP(name, type_a, type_b, type_c, terms)                     \
  __HELICON_INT type_c name(type_a a, type_b b, type_c c) { return static_cast<type_c>(static_cast<unsigned int>(c) + static_cast<unsigned int>(terms)); }
#define __HELICON_BYTE(sign, x, i) static_cast<int>(static_cast<sign char>((x) >> (8 * (i))))
#define __HELICON_HALF(sign, x, i) static_cast<int>(static_cast<sign short>((x) >> (16 * (i))))
#define __HELICON_DP4(sign, a, b)                                                                                   \
  (__HELICON_BYTE(sign, a, 0) * __HELICON_BYTE(sign, b, 0) + __HELICON_BYTE(sign, a, 1) * __HELICON_BYTE(sign, b, 1) + \
   __HELICON_BYTE(sign, a, 2) * __HELICON_BYTE(sign, b, 2) + __HELICON_BYTE(sign, a, 3) * __HELICON_BYTE(sign, b, 3))
#define __HELICON_DP2(sign, a, b, at) \
  (__HELICON_HALF(sign, a, 0) * __HELICON_BYTE(sign, b, at) + __HELICON_HALF(sign, a, 1) * __HELICON_BYTE(sign, b, at + 1))
__HELICON_DP(__dp4a, int, int, int, __HELICON_DP4(signed, a, b))
__HELICON_DP(__dp4a, unsigned int, unsigned int, unsigned int, __HELICON_DP4(unsigned, a, b))
__HELICON_DP(__dp2a_lo, int, int, int, __HELICON_DP2(signed, a, b, 0))
__HELICON_DP(__dp2a_lo, unsigned int, unsigned int, unsigned int, __HELICON_DP2(unsigned, a, b, 0))
__HELICON_DP(__dp2a_hi, int, int, int, __HELICON_DP2(signed, a, b, 2))
__HELICON_DP(__dp2a_hi, unsigned int, unsigned int, unsigned int, __HELICON_DP2(unsigned, a, b, 2))
#undef __HELICON_DP2
#undef __HELICON_DP4
#undef __HELICON_HALF
#undef __HELICON_BYTE
#undef __HELICON_DP

// The same on vectors, element by element.
__HELICON_INT int __dp4a(char4 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__HELICON_INT unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__HELICON_INT int __dp2a_lo(short2 a, char4 b, int c) { return c + a.x * b.x + a.y * b.y; }
__HELICON_INT int __dp2a_hi(short2 a, char4 b, int c) { return c + a.x * b.z + a.y * b.w; }
__HELICON_INT unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) { return c + a.x * b.x + a.y * b.y; }
__HELICON_INT unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) { return c + a.x * b.z + a.y * b.w; }

#undef __HELICON_INT

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic and conversions with a chosen rounding mode (__fadd_rz, __drcp_ru, __ll2float_rd …), computed exactly in
// integers and rounded once, so that no dynamic rounding mode is needed.
#include "device/lib/lib.h"

namespace {

enum Mode { kNearest, kZero, kUp, kDown };

template <typename F> struct Format;
template <> struct Format<float> {
  using Bits = uint32;
  static constexpr int mantissa = 23, bias = 127;
};
template <> struct Format<double> {
  using Bits = uint64;
  static constexpr int mantissa = 52, bias = 1023;
};

/// |value| = m * 2^exponent.
struct Number {
  bool negative;
  int exponent;
  uint128 m;
};

template <typename F> __device__ Number unpack(F x) {
  using Fmt = Format<F>;
  typename Fmt::Bits b = bits_of(x);
  uint64 fraction = b & ((static_cast<typename Fmt::Bits>(1) << Fmt::mantissa) - 1);
  int biased = static_cast<int>(b >> Fmt::mantissa) & (2 * Fmt::bias + 1);
  if (biased != 0) {
    fraction |= static_cast<uint64>(1) << Fmt::mantissa;
  } else {
    biased = 1;
  }
  return {(b >> (sizeof(F) * 8 - 1)) != 0, biased - Fmt::bias - Fmt::mantissa, fraction};
}

template <typename F> __device__ bool finite_nonzero(F x) { return x != 0 && __builtin_isfinite(x); }

__device__ int top_bit(uint128 m) {
  auto high = static_cast<uint64>(m >> 64);
  return high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(static_cast<uint64>(m));
}

template <typename F> __device__ F overflow(bool negative, Mode mode) {
  using Fmt = Format<F>;
  using Bits = typename Fmt::Bits;
  Bits infinity = static_cast<Bits>(2 * Fmt::bias + 1) << Fmt::mantissa;
  bool to_infinity = mode == kNearest || (mode == kUp && !negative) || (mode == kDown && negative);
  Bits b = to_infinity ? infinity : infinity - 1;
  F x = __builtin_bit_cast(F, b);
  return negative ? -x : x;
}

/// Rounds a nonzero number to F; `sticky` says that the true magnitude lies strictly between m and m + 1.
template <typename F> __device__ F round_to(Number n, bool sticky, Mode mode) {
  using Fmt = Format<F>;
  using Bits = typename Fmt::Bits;
  constexpr int smallest = 1 - Fmt::bias - Fmt::mantissa;  // exponent of the last place of a subnormal
  int last_place = top_bit(n.m) + n.exponent - Fmt::mantissa;
  if (last_place < smallest) {
    last_place = smallest;
  }
  int shift = last_place - n.exponent;
  uint128 kept = n.m, rest = 0, half = 0;
  if (shift > 127) {
    kept = 0;
    sticky = true;
  } else if (shift > 0) {
    kept = n.m >> shift;
    rest = n.m - (kept << shift);
    half = static_cast<uint128>(1) << (shift - 1);
  } else {
    kept = n.m << -shift;
  }
  bool inexact = rest != 0 || sticky;
  bool up = mode == kUp ? inexact && !n.negative : mode == kDown ? inexact && n.negative : false;
  if (mode == kNearest && half != 0) {
    up = rest > half || (rest == half && (sticky || (kept & 1)));
  }
  int biased = last_place + Fmt::mantissa + Fmt::bias;
  if (biased > 2 * Fmt::bias) {
    return overflow<F>(n.negative, mode);
  }
  Bits b = (static_cast<Bits>(biased - 1) << Fmt::mantissa) + static_cast<Bits>(kept) + (up ? 1 : 0);
  if (b >= static_cast<Bits>(2 * Fmt::bias + 1) << Fmt::mantissa) {
    return overflow<F>(n.negative, mode);
  }
  F x = __builtin_bit_cast(F, b);
  return n.negative ? -x : x;
}

__device__ Number normalise(Number n) {
  int shift = 125 - top_bit(n.m);
  return {n.negative, n.exponent - shift, n.m << shift};
}

template <typename F> __device__ F add_numbers(Number a, Number b, Mode mode) {
  Number x = normalise(a), y = normalise(b);
  if (x.exponent < y.exponent || (x.exponent == y.exponent && x.m < y.m)) {
    Number t = x;
    x = y;
    y = t;
  }
  int distance = x.exponent - y.exponent;
  uint128 aligned = distance < 128 ? y.m >> distance : 0;
  bool sticky = distance >= 128 || (aligned << distance) != y.m;
  if (x.negative == y.negative) {
    x.m += aligned;
  } else {
    x.m -= aligned;
    x.m -= sticky ? 1 : 0;
  }
  if (x.m == 0) {
    return mode == kDown ? -static_cast<F>(0) : static_cast<F>(0);
  }
  return round_to<F>(x, sticky, mode);
}

__device__ float fma_of(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ double fma_of(double a, double b, double c) { return __builtin_fma(a, b, c); }
__device__ float sqrt_of(float a) { return __builtin_sqrtf(a); }
__device__ double sqrt_of(double a) { return __builtin_sqrt(a); }

template <typename F> __device__ F fused(F a, F b, F c, Mode mode) {
  if (!__builtin_isfinite(a) || !__builtin_isfinite(b) || !__builtin_isfinite(c)) {
    return fma_of(a, b, c);
  }
  Number x = unpack(a), y = unpack(b), z = unpack(c);
  bool negative = x.negative != y.negative;
  if (x.m == 0 || y.m == 0) {
    if (z.m != 0 || z.negative == negative) {
      return c;
    }
    return mode == kDown ? -static_cast<F>(0) : static_cast<F>(0);
  }
  Number product = {negative, x.exponent + y.exponent, x.m * y.m};
  return z.m == 0 ? round_to<F>(product, false, mode) : add_numbers<F>(product, z, mode);
}

template <typename F> __device__ F multiply(F a, F b, Mode mode) {
  F zero = __builtin_signbit(a) != __builtin_signbit(b) ? -static_cast<F>(0) : static_cast<F>(0);
  return __builtin_isfinite(a) && __builtin_isfinite(b) ? fused(a, b, zero, mode) : a * b;
}

/// Rounds nearest + residual / something positive, where `nearest` is the correctly rounded result scaled by 2^-scale.
template <typename F> __device__ F adjust(F nearest, F residual, bool negative, int scale, Mode mode) {
  Number n = unpack(nearest);
  n.negative = negative;
  n.m <<= 3;
  n.exponent += scale - 3;
  if (residual < 0) {
    n.m -= 1;
  }
  return round_to<F>(n, residual != 0, mode);
}

/// The mantissa as a value in [1, 2); *exponent gets the rest.
template <typename F> __device__ F significand(F x, int *exponent) {
  using Fmt = Format<F>;
  Number n = unpack(x);
  int top = top_bit(n.m);
  *exponent = n.exponent + top;
  auto fraction = static_cast<typename Fmt::Bits>(n.m << (Fmt::mantissa - top));
  fraction &= (static_cast<typename Fmt::Bits>(1) << Fmt::mantissa) - 1;
  return __builtin_bit_cast(F, static_cast<typename Fmt::Bits>(
                                   fraction | static_cast<typename Fmt::Bits>(Fmt::bias) << Fmt::mantissa));
}

template <typename F> __device__ F divide(F a, F b, Mode mode) {
  if (!finite_nonzero(a) || !finite_nonzero(b)) {
    return a / b;
  }
  int ea, eb;
  F ma = significand(a, &ea), mb = significand(b, &eb);
  F q = ma / mb;
  F residual = fma_of(-q, mb, ma);
  return adjust(q, residual, __builtin_signbit(a) != __builtin_signbit(b), ea - eb, mode);
}

template <typename F> __device__ F square_root(F a, Mode mode) {
  if (!finite_nonzero(a) || a < 0) {
    return sqrt_of(a);
  }
  int e;
  F m = significand(a, &e);
  if (e & 1) {
    m *= 2;
    e -= 1;
  }
  F s = sqrt_of(m);
  F residual = fma_of(-s, s, m);
  return adjust(s, residual, false, e / 2, mode);
}

template <typename F> __device__ F from_integer(bool negative, uint64 magnitude, Mode mode) {
  return magnitude == 0 ? static_cast<F>(0) : round_to<F>({negative, 0, magnitude}, false, mode);
}
__device__ uint64 magnitude_of(long long x) { return x < 0 ? 0 - static_cast<uint64>(x) : static_cast<uint64>(x); }

}  // namespace

#define MODES(OPERATION) OPERATION(rz, kZero) OPERATION(ru, kUp) OPERATION(rd, kDown)

#define ARITHMETIC(suffix, mode)                                                                          \
  HL_API float __hl_fadd_##suffix(float a, float b) { return fused(a, 1.0f, b, mode); }                   \
  HL_API float __hl_fmul_##suffix(float a, float b) { return multiply(a, b, mode); }                      \
  HL_API float __hl_fmaf_##suffix(float a, float b, float c) { return fused(a, b, c, mode); }             \
  HL_API float __hl_fdiv_##suffix(float a, float b) { return divide(a, b, mode); }                        \
  HL_API float __hl_fsqrt_##suffix(float a) { return square_root(a, mode); }                              \
  HL_API double __hl_dadd_##suffix(double a, double b) { return fused(a, 1.0, b, mode); }                 \
  HL_API double __hl_dmul_##suffix(double a, double b) { return multiply(a, b, mode); }                   \
  HL_API double __hl_fma_##suffix(double a, double b, double c) { return fused(a, b, c, mode); }          \
  HL_API double __hl_ddiv_##suffix(double a, double b) { return divide(a, b, mode); }                     \
  HL_API double __hl_dsqrt_##suffix(double a) { return square_root(a, mode); }
MODES(ARITHMETIC)

#define CONVERSIONS(suffix, mode)                                                                         \
  HL_API float __hl_double2float_##suffix(double x) {                                                     \
    return finite_nonzero(x) ? round_to<float>(unpack(x), false, mode) : static_cast<float>(x);           \
  }                                                                                                       \
  HL_API float __hl_ll2float_##suffix(long long x) { return from_integer<float>(x < 0, magnitude_of(x), mode); }    \
  HL_API float __hl_ull2float_##suffix(uint64 x) { return from_integer<float>(false, x, mode); }          \
  HL_API double __hl_ll2double_##suffix(long long x) { return from_integer<double>(x < 0, magnitude_of(x), mode); } \
  HL_API double __hl_ull2double_##suffix(uint64 x) { return from_integer<double>(false, x, mode); }
MODES(CONVERSIONS)

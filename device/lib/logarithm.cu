// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log2, log10, log1p: x = 2^k m with m near 1, log(m) by a polynomial (single precision) or by the series of
// s = f / (2 + f) where f = m - 1 (double precision).
#include "device/lib/logarithm.h"

namespace {

constexpr double kLog10Of2High = 0x1.34413509f79ffp-2, kLog10Of2Low = -0x1.9dc1da994fd21p-59;

/// A logarithm whose argument may also be what is not positive and finite.
template <typename F> __device__ F for_any(F x, F ordinary) {
  constexpr F infinity = static_cast<F>(__builtin_inf());
  F special = x == 0 ? -infinity : x < 0 ? static_cast<F>(__builtin_nan("")) : x;
  return x > 0 && x < infinity ? ordinary : special;
}
__device__ float for_any(float x, float ordinary) {
  return bits_of(x) - 1 < 0x7f7fffffu ? ordinary : __hl_log_of_special(x);
}

struct LogF {
  float k, f, p, square;  ///< log(x) = k log 2 + f + p * square, where square = f^2
};
__device__ LogF log_parts(float x) {
  bool is_tiny = x < 0x1p-126f;
  uint32 bits = bits_of(is_tiny ? x * 0x1p23f : x);
  uint32 e = (bits - 0x3f2aaaab) & 0xff800000;
  float k = fused(static_cast<float>(static_cast<int>(e)), 0x1p-23f, is_tiny ? -23.0f : 0.0f);
  float f = float_of(bits - e) - 1;
  // (log(1 + f) - f) / f^2 for |f| <= 1/3: error 2^-24
  float p = polynomial(f, -0.5f, 0x1.55552cp-2f, -0x1.ffff0cp-3f, 0x1.99bfe6p-3f, -0x1.559bf4p-3f, 0x1.1fd5f0p-3f,
                       -0x1.f30748p-4f, 0x1.19b5a6p-3f, -0x1.087e80p-3f);
  return {k, f, p, f * f};
}

/// log(m) as a sum; c is what f lacks.
__device__ Double2 log_of_mantissa(double f, double c) {
  LogSeries m = log_series(f);
  double high = f - m.half_square;
  double low = (f - high) - m.half_square + fused(m.s, m.half_square + m.rest, c);
  return quick_sum(high, low);
}

/// (m.hi + m.lo) * (high + low) + k * (k_high + k_low), rounded once or nearly so.
__device__ double convert(double k, Double2 m, Double2 factor, Double2 step) {
  Double2 y = exact_product(m.hi, factor.hi);
  double low = y.lo + fused(m.hi, factor.lo, m.lo * factor.hi);
  Double2 whole = exact_product(k, step.hi);
  Double2 sum = quick_sum(whole.hi, y.hi);
  return sum.hi + (sum.lo + (low + fused(k, step.lo, whole.lo)));
}

}  // namespace

HL_PURE float __hl_log_of_special(float x) {
  return x == 0 ? -__builtin_inff() : x < 0 ? __builtin_nanf("") : x;
}
HL_API float __hl_logf(float x) {
  LogF a = log_parts(x);
  return for_any(x, fused(a.k, 0x1.62e430p-1f, fused(a.p, a.square, a.f)));
}
HL_API float __hl_log2f(float x) {
  LogF a = log_parts(x);
  constexpr float high = 0x1.715476p+0f, low = 0x1.4ae0c0p-26f;  // log2(e)
  float sum = fused(a.f, high, a.k), rest = fused(a.f, high, a.k - sum);
  return for_any(x, sum + fused(a.p * a.square, high, fused(a.f, low, rest)));
}
HL_API float __hl_log10f(float x) {
  LogF a = log_parts(x);
  float r = fused(a.p, a.square, a.f), low = fused(a.k, -0x1.ec10c0p-27f, r * -0x1.5b235ep-27f);
  return for_any(x, fused(a.k, 0x1.344136p-2f, fused(r, 0x1.bcb7b2p-2f, low)));
}
HL_API float __hl_log1pf(float x) {
  uint32 e = (bits_of(1 + x) - 0x3f400000) & 0xff800000;  // 1 + x is 2^k m with 0.75 <= m < 1.5
  float k = static_cast<float>(static_cast<int>(e)) * 0x1p-23f;
  float four = float_of(0x40800000 - e);                                   // 4 * 2^-k
  float f = fused(0.25f, four, -1.0f) + float_of(bits_of(x) - e);          // 2^-k - 1 + 2^-k x
  // (log(1 + f) - f) / f^2 for -1/4 <= f <= 1/2: error 2^-24
  float p = polynomial(f, -0.5f, 0x1.55557cp-2f, -0x1.00009cp-2f, 0x1.997a94p-3f, -0x1.54def0p-3f, 0x1.275b46p-3f,
                       -0x1.0d452cp-3f, 0x1.ba3f34p-4f, -0x1.928ba2p-5f);
  float result = fused(k, 0x1.62e430p-1f, fused(p, f * f, f));
  result = __builtin_fabsf(x) < 0x1p-25f ? x : result;
  return x == -1 ? -__builtin_inff() : x < -1 ? __builtin_nanf("") : x < __builtin_inff() ? result : x;
}

HL_API double __hl_log(double x) {
  LogArgument a = reduce_log(x);
  LogSeries m = log_series(a.f);
  double low = fused(a.k, 0x1.a39ef35793c76p-33, m.s * (m.half_square + m.rest));
  return for_any(x, fused(a.k, 0x1.62e42fee00000p-1, a.f - (m.half_square - low)));  // the product is exact
}
HL_API double __hl_log2(double x) {
  LogArgument a = reduce_log(x);
  Double2 m = log_of_mantissa(a.f, 0);
  return for_any(x, convert(a.k, m, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56}, {1, 0}));
}
HL_API double __hl_log10(double x) {
  LogArgument a = reduce_log(x);
  Double2 m = log_of_mantissa(a.f, 0);
  return for_any(x, convert(a.k, m, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57}, {kLog10Of2High, kLog10Of2Low}));
}
HL_API double __hl_log1p(double x) {
  uint64 e = exponent_near_one(bits_of(1 + x));
  double four = double_of(0x4010000000000000 - e), scaled = double_of(bits_of(x) - e);
  double base = fused(0.25, four, -1.0);
  Double2 f = exact_sum(base, scaled);  // 2^-k - 1 + 2^-k x
  Double2 m = log_of_mantissa(f.hi, f.lo);
  double result = convert(exponent_value(e), m, {1, 0}, {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
  result = __builtin_fabs(x) < 0x1p-54 ? x : result;
  return x == -1 ? -__builtin_inf() : x < -1 ? __builtin_nan("") : x < __builtin_inf() ? result : x;
}

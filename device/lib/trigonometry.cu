// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos, tan. Ordinary arguments are reduced with pi / 2 in three parts (Cody and Waite); those above kLargest, which
// few programs have, by as many bits of 2 / pi as they need (Payne and Hanek), lane by lane.
#include "device/lib/trigonometry.h"
#include "device/lib/double_double.h"

namespace {

constexpr float kLargestF = 0x1p16f;
constexpr double kLargest = 0x1p22;

/// 2 / pi behind 64 zero bits.
__constant__ const uint64 kTwoOverPi[] = {
    0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

__device__ uint64 bits_from(int at) {  // of the table
  int word = at >> 6, shift = at & 63;
  return shift == 0 ? kTwoOverPi[word] : kTwoOverPi[word] << shift | kTwoOverPi[word + 1] >> (64 - shift);
}

/// x >= 1, finite. With x = m 2^e, the fraction of m (2^e 2 / pi / 4) is the fraction of a turn: it needs three words of
/// 2 / pi, those before stand for whole turns.
__device__ Angle<double> reduce_by_table(double x) {
  uint64 m = (bits_of(x) & 0x000fffffffffffff) | 0x0010000000000000;
  int e = static_cast<int>(bits_of(x) >> 52) - 1023 - 52;
  int at = e - 2 + 64;
  uint128 low = static_cast<uint128>(m) * bits_from(at + 128);
  uint128 middle = static_cast<uint128>(m) * bits_from(at + 64) + static_cast<uint64>(low >> 64);
  uint64 high = m * bits_from(at) + static_cast<uint64>(middle >> 64);
  uint128 turn = static_cast<uint128>(high) << 64 | static_cast<uint64>(middle);
  uint32 quarter = static_cast<uint32>(high >> 62);
  uint128 rest = turn << 2 | (low >> 62 & 3);  // of a quarter
  bool is_upper = rest >> 127 != 0;            // nearer to the next one
  if (is_upper) {
    ++quarter;
    rest = -rest;
  }
  int zeros = rest >> 64 != 0 ? __builtin_clzll(static_cast<uint64>(rest >> 64)) : 64;
  rest <<= zeros;
  double unit = double_of(static_cast<uint64>(1023 - 53 - zeros) << 52);  // of the upper 53 bits
  double upper = static_cast<double>(static_cast<uint64>(rest >> 75)) * unit;
  double lower = static_cast<double>(static_cast<uint64>(rest >> 22) & 0x1fffffffffffff) * (unit * 0x1p-53);
  Double2 r = multiply({is_upper ? -upper : upper, is_upper ? -lower : lower},
                       {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  return {r.hi, r.lo, quarter};
}

/// 0 <= x <= kLargest.
__device__ Angle<float> reduce(float x) {
  constexpr float rounder = 0x1.8p23f;
  float j = fused(x, 0x1.45f306p-1f, rounder), n = j - rounder;
  float r = fused(n, -0x1.921fb6p+0f, x);  // exact
  r = fused(n, 0x1.777a5cp-25f, r);
  return {fused(n, 0x1.ee59dap-50f, r), 0, bits_of(j)};
}
__device__ Angle<double> reduce(double x) {
  constexpr double rounder = 0x1.8p52, middle = 0x1.1a62633145c07p-54;
  double j = fused(x, 0x1.45f306dc9c883p-1, rounder), n = j - rounder;
  double whole = fused(n, -0x1.921fb54442d18p+0, x);  // exact
  double r = fused(n, -middle, whole);
  double low = fused(n, 0x1.f1976b7ed8fbcp-110, fused(n, -middle, whole - r));
  return {r, low, static_cast<uint32>(bits_of(j))};
}

__device__ float sign_of(float like, float x) { return float_of(bits_of(x) ^ (bits_of(like) & 0x80000000)); }
__device__ double sign_of(double like, double x) { return double_of(bits_of(x) ^ (bits_of(like) & 0x8000000000000000)); }

__device__ double tan_of(Angle<double> a) {
  double s = sin_near_0(a.r, a.low), c = cos_near_0(a.r, a.low);
  return a.quarter & 1 ? -c / s : s / c;
}
__device__ float tan_of(Angle<float> a) {
  float z = a.r * a.r;
  // (tan(r) - r) / r^3 for |r| <= pi / 4: error 2^-21.6
  float p = polynomial(z, 0x1.55554ep-2f, 0x1.111752p-3f, 0x1.b85c00p-5f, 0x1.7cf79ap-6f, 0x1.42e738p-8f, 0x1.120d0cp-7f);
  float t = fused(p, z * a.r, a.r);
  return a.quarter & 1 ? -1 / t : t;
}

}  // namespace

HL_RARE double __hl_sin_of_large(double x) {
  return __builtin_isfinite(x) ? sign_of(x, sin_of(reduce_by_table(__builtin_fabs(x)))) : __builtin_nan("");
}
HL_RARE double __hl_cos_of_large(double x) {
  return __builtin_isfinite(x) ? cos_of(reduce_by_table(__builtin_fabs(x))) : __builtin_nan("");
}
HL_RARE double __hl_tan_of_large(double x) {
  return __builtin_isfinite(x) ? sign_of(x, tan_of(reduce_by_table(__builtin_fabs(x)))) : __builtin_nan("");
}

HL_LOCAL float magnitude(float x) { return __builtin_fabsf(x); }
HL_LOCAL double magnitude(double x) { return __builtin_fabs(x); }

// Sines and tangents are those of |x| with the sign of x put on, which keeps -0.
#define TRIGONOMETRIC(name, type, suffix, largest, with_sign)                      \
  HL_API type __hl_##name##suffix(type x) {                                        \
    type size = magnitude(x);                                                      \
    if (__builtin_expect(!(size <= largest), 0)) {                                 \
      return static_cast<type>(__hl_##name##_of_large(x));                         \
    }                                                                              \
    return with_sign(x, name##_of(reduce(size)));                                  \
  }
#define KEEP(x, y) y
TRIGONOMETRIC(sin, float, f, kLargestF, sign_of)
TRIGONOMETRIC(cos, float, f, kLargestF, KEEP)
TRIGONOMETRIC(tan, float, f, kLargestF, sign_of)
TRIGONOMETRIC(sin, double, , kLargest, sign_of)
TRIGONOMETRIC(cos, double, , kLargest, KEEP)
TRIGONOMETRIC(tan, double, , kLargest, sign_of)

HL_API void __hl_sincos(double x, double *s, double *c) {
  *s = __hl_sin(x);
  *c = __hl_cos(x);
}
HL_API void __hl_sincosf(float x, float *s, float *c) {
  *s = __hl_sinf(x);
  *c = __hl_cosf(x);
}

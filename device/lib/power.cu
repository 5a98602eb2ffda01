// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow: 2^(y log2 |x|) in double precision for float, e^(y log |x|) with the logarithm in two doubles for double.
#include "device/lib/exponential.h"
#include "device/lib/logarithm.h"

namespace {

/// What pow is where an argument is not ordinary; `magnitude` is its value for ordinary |x| and y.
template <typename F> __device__ F with_special_cases(F x, F y, F magnitude) {
  constexpr F infinity = static_cast<F>(__builtin_inf());
  F ax = static_cast<F>(__builtin_fabs(x)), ay = static_cast<F>(__builtin_fabs(y)), half = y * static_cast<F>(0.5);
  bool is_whole = y == static_cast<F>(__builtin_trunc(y));
  bool is_odd = is_whole && half != static_cast<F>(__builtin_trunc(half)) && ay < infinity;
  F r = magnitude;
  r = ax == 0 || ax == infinity ? ((ax == 0) == (y < 0) ? infinity : 0) : r;
  r = ay == infinity ? (ax == 1 ? 1 : (ax > 1) == (y > 0) ? infinity : 0) : r;
  r = x < 0 && ax < infinity && !is_whole ? static_cast<F>(__builtin_nan("")) : r;
  r = is_odd && __builtin_signbit(x) ? -r : r;
  r = x != x || y != y ? x + y : r;
  return y == 0 || x == 1 ? 1 : r;
}

/// |x|^y for finite |x| > 0.
__device__ float power(float ax, float y) {
  bool is_tiny = ax < 0x1p-126f;
  uint32 bits = bits_of(is_tiny ? ax * 0x1p23f : ax);
  uint32 e = (bits - 0x3f3504f3) & 0xff800000;
  float k = fused(static_cast<float>(static_cast<int>(e)), 0x1p-23f, is_tiny ? -23.0f : 0.0f);
  double f = static_cast<double>(float_of(bits - e) - 1);
  // log2(1 + f) / f for sqrt(1/2) <= 1 + f <= sqrt(2): error 2^-33
  double p = polynomial(f, 0x1.71547652d5129p+0, -0x1.7154767de12aap-1, 0x1.ec709cd08ba11p-2, -0x1.7154337e77637p-2,
                        0x1.2776f020efccfp-2, -0x1.ec8df6ae6b36bp-3, 0x1.a625343092dc7p-3, -0x1.6eb2a14e6e29ep-3,
                        0x1.44e3ca719ed9bp-3, -0x1.40ccc7996f371p-3, 0x1.4071b6bc24ad8p-3, -0x1.6b8ea7d68f87fp-4);
  double exponent = clamp(static_cast<double>(y) * fused(p, f, static_cast<double>(k)), -152.0, 130.0);
  float j = static_cast<float>(exponent) + kRounderF, n = j - kRounderF;
  float r = static_cast<float>(exponent - static_cast<double>(n));
  float q = polynomial(r, 0x1.62e430p-1f, 0x1.ebfbe0p-3f, 0x1.c6af9cp-5f, 0x1.3b2a48p-7f, 0x1.5ef5d0p-10f, 0x1.442512p-13f);
  return scale(fused(q, r, 1.0f), bits_of(j));
}

/// log(1 + f) in two doubles, error 2^-64: 2 s + 2/3 s^3 + s^5 T(s^2) with s = f / (2 + f).
__device__ Double2 log_in_two(double f) {
  double m = 1 + f, d = 1 + m, d_low = m - (d - 1), inverse = 1 / d;
  double s = f * inverse;
  double s_low = (fused(-s, d, f) - s * d_low) * inverse;
  double z = s * s, z_low = fused(s, s, -z) + 2 * s * s_low;
  // ((log((1 + s) / (1 - s)) / s - 2) / z - 2/3) / z for |s| <= 3 - 2 sqrt(2): error 2^-54
  double t = polynomial(z, 0x1.999999999999ap-2, 0x1.24924924922fdp-2, 0x1.c71c71c74cc62p-3, 0x1.745d173ca0b1p-3,
                        0x1.3b13a9e6f361bp-3, 0x1.11154b764820ep-3, 0x1.e01a97a1bb077p-4, 0x1.da99961a721edp-4);
  Double2 c = quick_sum(0x1.5555555555555p-1, z * t);
  c.lo += 0x1.5555555555555p-55;
  Double2 cube = exact_product(z, s);
  cube.lo += fused(z_low, s, z * s_low);
  Double2 term = exact_product(cube.hi, c.hi);
  term.lo += fused(cube.hi, c.lo, cube.lo * c.hi);
  Double2 sum = quick_sum(2 * s, term.hi);
  return quick_sum(sum.hi, sum.lo + fused(2.0, s_low, term.lo));
}

__device__ double power(double ax, double y) {
  LogArgument a = reduce_log(ax);
  Double2 m = log_in_two(a.f);
  Double2 whole = exact_product(a.k, 0x1.62e42fefa39efp-1);
  Double2 sum = quick_sum(whole.hi, m.hi);
  Double2 log = quick_sum(sum.hi, sum.lo + (m.lo + fused(a.k, 0x1.abc9e3b39803fp-56, whole.lo)));
  Double2 p = exact_product(y, log.hi);
  p.lo = fused(y, log.lo, p.lo);
  bool in_range = __builtin_fabs(p.hi) < 1000;
  return exp_times(p.hi, in_range ? p.lo : 0, 0);
}

}  // namespace

HL_API float __hl_powf(float x, float y) { return with_special_cases(x, y, power(__builtin_fabsf(x), y)); }
HL_API double __hl_pow(double x, double y) { return with_special_cases(x, y, power(__builtin_fabs(x), y)); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos of multiples of pi: x = n / 2 + r with |r| <= 1/4 is exact; the functions of pi r are polynomials in r.
#include "device/lib/trigonometry.h"

namespace {

struct PiAngle {
  double r;
  uint32 quarter;
};
template <typename F> __device__ Angle<F> reduce(F x) {  // NaN for infinities
  F turn = x - 2 * static_cast<F>(__builtin_trunc(x * static_cast<F>(0.5)));
  constexpr F rounder = sizeof(F) == 4 ? 0x1.8p23f : 0x1.8p52;
  F j = 2 * turn + rounder, n = j - rounder;
  return {fused(static_cast<F>(-0.5), n, turn), 0, static_cast<uint32>(bits_of(j))};
}

/// Errors 2^-26, 2^-28; 2^-54, 2^-58.
__device__ float sin_pi(float r) {
  float z = r * r;
  float p = polynomial(z, -0x1.4abbcep+2f, 0x1.466b62p+1f, -0x1.329df2p-1f, 0x1.3efdf2p-4f);
  return fused(r, 0x1.921fb6p+1f, fused(p, z * r, r * -0x1.777a5cp-24f));
}
__device__ float cos_pi(float r) {
  float z = r * r;
  return fused(polynomial(z, -0x1.3bd3ccp+2f, 0x1.03c19ep+2f, -0x1.55a5b6p+0f, 0x1.d0976ap-3f), z, 1.0f);
}
__device__ double sin_pi(double r) {
  double z = r * r;
  double p = polynomial(z, -0x1.4abbce625be53p+2, 0x1.466bc6775abc5p+1, -0x1.32d2cce64806fp-1, 0x1.507834b7bf04cp-4,
                        -0x1.e3079e48a14f3p-8, 0x1.e93102ab2516cp-12, -0x1.80acce53c55f1p-16);
  return fused(r, 0x1.921fb54442d18p+1, fused(p, z * r, r * 0x1.1a62633145c07p-53));
}
__device__ double cos_pi(double r) {
  double z = r * r;
  double p = polynomial(z, -0x1.3bd3cc9be45dep+2, 0x1.03c1f081b5ac4p+2, -0x1.55d3c7e3cc0efp+0, 0x1.e1f5068943105p-3,
                        -0x1.a6d1f2d417918p-6, 0x1.f9d3ccc20d189p-10, -0x1.b70e17abdf0b5p-14, 0x1.2b5874f75816ep-18);
  return fused(p, z, 1.0);
}

/// Zeros have the sign that CUDA gives them: that of x for sin, + for cos.
template <typename F> __device__ F sin_pi_of(F x) {
  Angle<F> a = reduce(x);
  F y = flip_sign(a.quarter & 1 ? cos_pi(a.r) : sin_pi(a.r), a.quarter);
  return y == 0 ? static_cast<F>(__builtin_copysign(0.0, x)) : y;
}
template <typename F> __device__ F cos_pi_of(F x) {
  Angle<F> a = reduce(x);
  F y = flip_sign(a.quarter & 1 ? sin_pi(a.r) : cos_pi(a.r), a.quarter + 1 - (~a.quarter & 1));
  return y + 0;
}

}  // namespace

HL_API float __hl_sinpif(float x) { return sin_pi_of(x); }
HL_API float __hl_cospif(float x) { return cos_pi_of(x); }
HL_API double __hl_sinpi(double x) { return sin_pi_of(x); }
HL_API double __hl_cospi(double x) { return cos_pi_of(x); }
HL_API void __hl_sincospi(double x, double *s, double *c) {
  *s = sin_pi_of(x);
  *c = cos_pi_of(x);
}
HL_API void __hl_sincospif(float x, float *s, float *c) {
  *s = sin_pi_of(x);
  *c = cos_pi_of(x);
}

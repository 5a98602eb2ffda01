// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core of sine, cosine and tangent: x = n pi / 2 + r with |r| <= pi / 4, and the functions of r.
#pragma once

#include "device/lib/polynomial.h"

/// A number in the quarter of a turn that `quarter` says (its low two bits): r + low from the middle.
template <typename F> struct Angle {
  F r, low;
  uint32 quarter;
};

/// sin(r) and cos(r) for |r| <= pi / 4, errors 2^-26 and 2^-30.
HL_LOCAL float sin_near_0(float r, float) {
  float z = r * r;
  return fused(polynomial(z, -0x1.555552p-3f, 0x1.110be2p-7f, -0x1.9ab184p-13f), z * r, r);
}
HL_LOCAL float cos_near_0(float r, float) {
  float z = r * r;
  return fused(polynomial(z, -0.5f, 0x1.55554ep-5f, -0x1.6c0e62p-10f, 0x1.9a7ep-16f), z, 1.0f);
}
/// sin(r + low) and cos(r + low) for |r| <= pi / 4, errors 2^-55 and 2^-60.
HL_LOCAL double sin_near_0(double r, double low) {
  double z = r * r, cube = z * r;
  double p = polynomial(z, 0x1.1111111110c78p-7, -0x1.a01a019e9e16ep-13, 0x1.71de37ad7fd05p-19, -0x1.ae601c62e7882p-26,
                        0x1.5e0fdbacfa2bdp-33);
  double rest = fused(z, fused(-0.5, low, cube * p), low);
  return r + fused(cube, -0x1.5555555555555p-3, rest);
}
HL_LOCAL double cos_near_0(double r, double low) {
  double z = r * r, half = 0.5 * z, top = 1 - half;
  double p = polynomial(z, 0x1.5555555555555p-5, -0x1.6c16c16c168c7p-10, 0x1.a01a019f3748ap-16, -0x1.27e4fa017dd67p-22,
                        0x1.1eeb563bdaa43p-29, -0x1.90724d2e6214ep-37);
  return top + (((1 - top) - half) + fused(z * z, p, -r * low));
}

HL_LOCAL float flip_sign(float x, uint32 quarter) { return float_of(bits_of(x) ^ (quarter & 2) << 30); }
HL_LOCAL double flip_sign(double x, uint32 quarter) {
  return double_of(bits_of(x) ^ static_cast<uint64>(quarter & 2) << 62);
}

template <typename F> HL_LOCAL F sin_of(Angle<F> a) {
  return flip_sign(a.quarter & 1 ? cos_near_0(a.r, a.low) : sin_near_0(a.r, a.low), a.quarter);
}
template <typename F> HL_LOCAL F cos_of(Angle<F> a) {
  return sin_of(Angle<F>{a.r, a.low, a.quarter + 1});
}

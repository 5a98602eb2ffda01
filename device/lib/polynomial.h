// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Polynomials with constant coefficients. The coefficients in the library are minimax fits (Sollya's fpminimax over the
// interval that stands beside them, error in the comment).
#pragma once

#include "device/lib/lib.h"

HL_LOCAL float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
HL_LOCAL double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// c0 + c1 x + c2 x^2 …, by Horner's rule.
template <typename F> HL_LOCAL F polynomial(F, F c0) { return c0; }
template <typename F, typename... Rest> HL_LOCAL F polynomial(F x, F c0, F c1, Rest... rest) {
  return fused(polynomial(x, c1, rest...), x, c0);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of trigonometric functions and their inverses are within the documented bounds.
// RUN: %mcc %s -o %t && %run %t %source/tests/kernels/math/ulp/bounds.tsv
// covers: C-5.5.7-01 C-5.5.8-01 C-5.5.4-01
#include "ulp.h"

/// sin(pi x) and cos(pi x), zeros with the sign of x and +: x is n / 2 + r.
template <typename T> T sine_of_pi(T x, int quarters, bool is_sine) {
  T turn = x - 2 * std::trunc(x / 2), halves = std::rint(2 * turn);
  T angle = (turn - halves / 2) * static_cast<T>(3.14159265358979323846264338327950288L);
  int k = static_cast<int>(halves) + quarters & 3;
  T y = k & 1 ? std::cos(angle) : std::sin(angle);
  y = k & 2 ? -y : y;
  return y == 0 ? (is_sine ? std::copysign(T(0), x) : T(0)) : y;
}

ULP_ONE(sin, std::sin(x))
ULP_ONE(cos, std::cos(x))
ULP_ONE(tan, std::tan(x))
ULP_ONE(sinpi, std::isfinite(x) ? sine_of_pi(x, 0, true) : NAN)
ULP_ONE(cospi, std::isfinite(x) ? sine_of_pi(x, 1, false) : NAN)
ULP_ONE(asin, std::asin(x))
ULP_ONE(acos, std::acos(x))
ULP_ONE(atan, std::atan(x))
ULP_TWO(atan2, std::atan2(x, y))

int main(int argc, char **argv) { return ulp::start(argc, argv); }

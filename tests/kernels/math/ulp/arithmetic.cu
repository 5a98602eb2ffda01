// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of roots, norms, remainders and roundings are within the documented bounds.
// RUN: %mcc %s -o %t && %run %t %source/tests/kernels/math/ulp/bounds.tsv
// covers: C-5.5.7-01 C-5.5.8-01 C-5.5.4-01
#include "ulp.h"

// Results that are rounded once go through double, so that long double does not round them twice.
ULP_ONE(sqrt, std::sqrt(static_cast<double>(x)))
ULP_ONE(rsqrt, 1 / std::sqrt(x))
ULP_ONE(cbrt, std::cbrt(x))
ULP_ONE(rcbrt, 1 / std::cbrt(x))
ULP_TWO(hypot, std::hypot(x, y))
ULP_TWO(rhypot, 1 / std::hypot(x, y))
ULP_TWO(fmod, std::fmod(x, y))
ULP_TWO(remainder, std::remainder(x, y))
ULP_TWO(fdim, std::fdim(static_cast<double>(x), static_cast<double>(y)))
ULP_TWO(copysign, std::copysign(x, y))
ULP_ONE(fabs, std::fabs(x))
ULP_ONE(ceil, std::ceil(x))
ULP_ONE(floor, std::floor(x))
ULP_ONE(trunc, std::trunc(x))
ULP_ONE(round, std::round(x))
ULP_ONE(rint, std::rint(x))
ULP_ONE(nearbyint, std::nearbyint(x))
ULP_ONE(logb, std::logb(x))

int main(int argc, char **argv) { return ulp::start(argc, argv); }

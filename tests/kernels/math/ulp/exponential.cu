// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of exponentials, logarithms, powers and hyperbolic functions are within the documented bounds.
// RUN: %mcc %s -o %t && %run %t %source/tests/kernels/math/ulp/bounds.tsv
// covers: C-5.5.7-01 C-5.5.8-01 C-5.5.4-01
#include "ulp.h"

template <typename T> T power_of_ten(T x) { return std::pow(static_cast<T>(10), x); }

ULP_ONE(exp, std::exp(x))
ULP_ONE(exp2, std::exp2(x))
ULP_ONE(exp10, power_of_ten(x))
ULP_ONE(expm1, std::expm1(x))
ULP_ONE(log, std::log(x))
ULP_ONE(log2, std::log2(x))
ULP_ONE(log10, std::log10(x))
ULP_ONE(log1p, std::log1p(x))
ULP_TWO(pow, std::pow(x, y))
ULP_ONE(sinh, std::sinh(x))
ULP_ONE(cosh, std::cosh(x))
ULP_ONE(tanh, std::tanh(x))
ULP_ONE(asinh, std::asinh(x))
ULP_ONE(acosh, std::acosh(x))
ULP_ONE(atanh, std::atanh(x))

int main(int argc, char **argv) { return ulp::start(argc, argv); }

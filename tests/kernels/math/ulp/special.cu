// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of the error functions, the normal distribution, gamma and Bessel functions are within the documented bounds.
// RUN: %mcc %s -o %t && %run %t %source/tests/kernels/math/ulp/bounds.tsv
// covers: C-5.5.7-01 C-5.5.8-01 C-5.5.4-01
#include "ulp.h"

// The references compute in the type of their argument: long double for samples, double for all floats.
template <typename T> constexpr T kPi = static_cast<T>(3.14159265358979323846264338327950288L);
template <typename T> constexpr T kEpsilon = std::numeric_limits<T>::epsilon();

template <typename T> T scaled_complement(T x) {
  if (x == INFINITY || x < -27) return x < 0 ? INFINITY : 0;
  if (x > 20) {
    T sum = 0, term = 1;
    for (int k = 0; k < 16; ++k, term *= -(2 * k - 1) / (2 * x * x)) sum += term;
    return sum / (x * std::sqrt(kPi<T>));
  }
  T square = x * x, rest = std::fma(x, x, -square);
  return std::exp(square) * (1 + rest) * std::erfc(x);
}
template <typename T> T inverse_complement(T y) {
  if (y < 0 || y > 2) return NAN;
  if (y == 0 || y == 2) return y == 0 ? INFINITY : -INFINITY;
  bool upper = y > 1;
  T z = upper ? 2 - y : y, t = z > static_cast<T>(0.9L) ? 0 : std::sqrt(-std::log(z)), log_z = std::log(z);
  for (int i = 0; i < 60; ++i) {  // Newton's steps on the logarithm
    T e = std::erfc(t);
    T step = (log_z - std::log(e)) * e * std::sqrt(kPi<T>) / 2 * std::exp(t * t);
    t -= step;
    if (std::fabs(step) <= kEpsilon<T> * std::fabs(t)) break;
  }
  return upper ? -t : t;
}
template <typename T> T inverse(T x) {
  if (std::fabs(x) > static_cast<T>(0.5L)) return x > 0 ? inverse_complement(1 - x) : -inverse_complement(1 + x);
  T t = x * std::sqrt(kPi<T>) / 2;
  if (x * x < kEpsilon<T>) return t * (1 + kPi<T> / 12 * x * x);
  for (int i = 0; i < 8; ++i) {
    T step = (std::erf(t) - x) * std::sqrt(kPi<T>) / 2 * std::exp(t * t);
    t -= step;
    if (std::fabs(step) <= kEpsilon<T> * std::fabs(t)) break;
  }
  return t;
}
template <typename T> T inverse_complement_of_any(T y) { return y > 0.5 && y < 1.5 ? inverse(1 - y) : inverse_complement(y); }
template <typename T> T bessel_i(T x, int order) {
  T y = x * x / 4, term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 500 && std::fabs(term) > kEpsilon<T> / 16 * std::fabs(sum); ++k) sum += term *= y / k / (k + order);
  return sum;
}

double bessel(double x, double (*of_double)(double), long double (*)(long double)) { return of_double(x); }
long double bessel(long double x, double (*)(double), long double (*of_long)(long double)) { return of_long(x); }

ULP_ONE(erf, std::erf(x))
ULP_ONE(erfc, std::erfc(x))
ULP_ONE(erfcx, scaled_complement(x))
ULP_ONE(erfinv, inverse(x))
ULP_ONE(erfcinv, inverse_complement_of_any(x))
ULP_ONE(normcdf, std::erfc(-x / std::sqrt(decltype(x)(2))) / 2)
ULP_ONE(normcdfinv, -std::sqrt(decltype(x)(2)) * inverse_complement_of_any(2 * x))
ULP_ONE(tgamma, std::tgamma(x))
ULP_ONE(lgamma, std::lgamma(x))
ULP_ONE(cyl_bessel_i0, bessel_i(x, 0))
ULP_ONE(cyl_bessel_i1, bessel_i(x, 1))
ULP_ONE(j0, bessel(x, j0, j0l))
ULP_ONE(j1, bessel(x, j1, j1l))
ULP_ONE(y0, bessel(x, y0, y0l))
ULP_ONE(y1, bessel(x, y1, y1l))

int main(int argc, char **argv) { return ulp::start(argc, argv); }

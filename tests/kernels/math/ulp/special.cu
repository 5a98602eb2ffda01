// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of the error functions, the normal distribution, gamma and Bessel functions are within the documented bounds.
// RUN: %mcc %s -o %t && %run %t %source/tests/kernels/math/ulp/bounds.tsv
// covers: C-5.5.7-01 C-5.5.8-01 C-5.5.4-01
#include "ulp.h"

using Long = long double;
const Long kPi = 3.14159265358979323846264338327950288L;

Long scaled_complement(Long x) {
  if (x == INFINITY || x < -27) return x < 0 ? INFINITY : 0;
  if (x > 40) {
    Long sum = 0, term = 1;
    for (int k = 0; k < 12; ++k, term *= -(2 * k - 1) / (2 * x * x)) sum += term;
    return sum / (x * sqrtl(kPi));
  }
  Long square = x * x, rest = fmal(x, x, -square);
  return expl(square) * (1 + rest) * erfcl(x);
}
Long inverse_complement(Long y) {
  if (y < 0 || y > 2) return NAN;
  if (y == 0 || y == 2) return y == 0 ? INFINITY : -INFINITY;
  bool upper = y > 1;
  Long z = upper ? 2 - y : y, t = z > 0.9L ? 0 : sqrtl(-logl(z));
  for (int i = 0; i < 60; ++i) {  // Newton's steps on the logarithm
    Long e = erfcl(t);
    Long step = (logl(z) - logl(e)) * e * sqrtl(kPi) / 2 * expl(t * t);
    t -= step;
    if (fabsl(step) <= 1e-19L * fabsl(t)) break;
  }
  return upper ? -t : t;
}
Long inverse(Long x) {
  if (x == 0) return x;
  if (fabsl(x) > 0.5L) return x > 0 ? inverse_complement(1 - x) : -inverse_complement(1 + x);
  Long t = x * sqrtl(kPi) / 2;
  for (int i = 0; i < 8; ++i) t -= (erfl(t) - x) * sqrtl(kPi) / 2 * expl(t * t);
  return t;
}
Long inverse_complement_of_any(Long y) { return y > 0.5L && y < 1.5L ? inverse(1 - y) : inverse_complement(y); }
Long bessel_i(Long x, int order) {
  Long y = x * x / 4, term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 500; ++k) sum += term *= y / k / (k + order);
  return sum;
}

ULP_ONE(erf, std::erf(x))
ULP_ONE(erfc, std::erfc(x))
ULP_ONE(erfcx, scaled_complement(x))
ULP_ONE(erfinv, inverse(x))
ULP_ONE(erfcinv, inverse_complement_of_any(x))
ULP_ONE(normcdf, erfcl(-x / sqrtl(2)) / 2)
ULP_ONE(normcdfinv, -sqrtl(2) * inverse_complement_of_any(2 * x))
ULP_ONE(tgamma, std::tgamma(x))
ULP_ONE(lgamma, std::lgamma(x))
ULP_ONE(cyl_bessel_i0, bessel_i(x, 0))
ULP_ONE(cyl_bessel_i1, bessel_i(x, 1))
ULP_ONE(j0, j0l(x))
ULP_ONE(j1, j1l(x))
ULP_ONE(y0, y0l(x))
ULP_ONE(y1, y1l(x))

int main(int argc, char **argv) { return ulp::start(argc, argv); }

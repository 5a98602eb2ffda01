// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error of every math function, in units in the last place against long double, within the documented bounds. Points
// are spread evenly and over the exponents of each function's domain.
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.5.7-01 C-5.5.8-01 C-5.5.4-01
#include <cstdint>

#include "check.h"

constexpr int kN = 20000;

__host__ __device__ unsigned long long random_at(unsigned long long i) {
  i += 0x9e3779b97f4a7c15ull;
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9ull;
  i = (i ^ i >> 27) * 0x94d049bb133111ebull;
  return i ^ i >> 31;
}

/// Point i of [low, high]: every other one uniform, the others of random magnitude.
template <typename F> F point(int i, double low, double high) {
  double u = (random_at(2 * i) >> 11) * 0x1p-53;
  if (i % 2 == 0) return static_cast<F>(low + (high - low) * u);
  unsigned long long r = random_at(2 * i + 1);
  double x = ldexp(1 + u, static_cast<int>(r % 70) - 40);
  if (r >> 40 & 1) x = -x;
  F f = static_cast<F>(x);
  return f >= low && f <= high ? f : static_cast<F>(low + (high - low) * u * 0.01);
}

template <typename F> struct Bits;
template <> struct Bits<float> { using Type = int32_t; };
template <> struct Bits<double> { using Type = int64_t; };

template <typename F> double distance(F got, F want) {
  if (got != got || want != want) return got != got && want != want ? 0 : 1e30;
  typename Bits<F>::Type a, b, least = static_cast<typename Bits<F>::Type>(1ull << (sizeof(F) * 8 - 1));
  memcpy(&a, &got, sizeof(F));
  memcpy(&b, &want, sizeof(F));
  a = a < 0 ? least - a : a;
  b = b < 0 ? least - b : b;
  __int128 d = static_cast<__int128>(a) - b;
  return static_cast<double>(d < 0 ? -d : d);
}

using Long = long double;
const Long kPi = 3.14159265358979323846264338327950288L;

Long sinpi_l(Long x) {
  Long t = x - 2 * truncl(x / 2), h = rintl(2 * t), r = (t - h / 2) * kPi;
  int k = static_cast<int>(h) & 3;
  return k == 0 ? sinl(r) : k == 1 ? cosl(r) : k == 2 ? -sinl(r) : -cosl(r);
}
Long cospi_l(Long x) {
  Long t = x - 2 * truncl(x / 2), h = rintl(2 * t), r = (t - h / 2) * kPi;
  int k = static_cast<int>(h) & 3;
  return k == 0 ? cosl(r) : k == 1 ? -sinl(r) : k == 2 ? -cosl(r) : sinl(r);
}
Long exp10_l(Long x) { return powl(10, x); }
Long rsqrt_l(Long x) { return 1 / sqrtl(x); }
Long rcbrt_l(Long x) { return 1 / cbrtl(x); }
Long erfcx_l(Long x) {
  if (x > 40) {
    Long sum = 0, term = 1;
    for (int k = 0; k < 12; ++k, term *= -(2 * k - 1) / (2 * x * x)) sum += term;
    return sum / (x * sqrtl(kPi));
  }
  Long square = x * x, rest = fmal(x, x, -square);
  return expl(square) * (1 + rest) * erfcl(x);
}
Long normcdf_l(Long x) { return erfcl(-x / sqrtl(2)) / 2; }
Long erfcinv_l(Long y) {
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
Long erfinv_l(Long x) {
  if (fabsl(x) > 0.5L) return x > 0 ? erfcinv_l(1 - x) : -erfcinv_l(1 + x);
  Long t = x * sqrtl(kPi) / 2;
  for (int i = 0; i < 8; ++i) t -= (erfl(t) - x) * sqrtl(kPi) / 2 * expl(t * t);
  return t;
}
Long erfcinv_all(Long y) { return y > 0.5L && y < 1.5L ? erfinv_l(1 - y) : erfcinv_l(y); }
Long normcdfinv_l(Long p) { return -sqrtl(2) * erfcinv_all(2 * p); }
Long bessel_i(Long x, int order) {
  Long y = x * x / 4, term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 500; ++k) sum += term *= y / k / (k + order);
  return sum;
}
Long i0_l(Long x) { return bessel_i(x, 0); }
Long i1_l(Long x) { return bessel_i(x, 1); }

template <typename Function, typename F> __global__ void run(Function f, const F *x, const F *y, F *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kN) out[i] = f(x[i], y[i]);
}

template <typename F, typename Function, typename Reference>
void measure(const char *name, Function f, Reference reference, double low, double high, double bound) {
  F *x, *y, *out;
  CHECK_CUDA(cudaMallocManaged(&x, kN * sizeof(F)));
  CHECK_CUDA(cudaMallocManaged(&y, kN * sizeof(F)));
  CHECK_CUDA(cudaMallocManaged(&out, kN * sizeof(F)));
  for (int i = 0; i < kN; ++i) {
    x[i] = point<F>(i, low, high);
    y[i] = point<F>(i + kN, low, high);
  }
  run<<<(kN + 127) / 128, 128>>>(f, x, y, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  double worst = 0;
  int at = 0;
  for (int i = 0; i < kN; ++i) {
    double d = distance(out[i], static_cast<F>(reference(x[i], y[i])));
    if (d > worst) worst = d, at = i;
  }
  if (!(worst <= bound)) {
    fprintf(stderr, "%s (%zu bytes): %g ulp at (%a, %a), allowed %g\n", name, sizeof(F), worst, (double)x[at],
            (double)y[at], bound);
    CHECK(worst <= bound);
  }
  CHECK_CUDA(cudaFree(x));
  CHECK_CUDA(cudaFree(y));
  CHECK_CUDA(cudaFree(out));
}

#define ONE(fn, reference, low, high, bound, float_bound)                                                          \
  struct Call_##fn {                                                                                               \
    __device__ double operator()(double x, double) const { return fn(x); }                                         \
    __device__ float operator()(float x, float) const { return fn##f(x); }                                         \
  };                                                                                                               \
  void test_##fn() {                                                                                               \
    auto exact = [](Long x, Long) { return reference(x); };                                                        \
    measure<double>(#fn, Call_##fn{}, exact, low, high, bound);                                                    \
    measure<float>(#fn, Call_##fn{}, exact, low, high, float_bound);                                               \
  }
#define TWO(fn, reference, low, high, bound, float_bound)                                                          \
  struct Call_##fn {                                                                                               \
    __device__ double operator()(double x, double y) const { return fn(x, y); }                                    \
    __device__ float operator()(float x, float y) const { return fn##f(x, y); }                                    \
  };                                                                                                               \
  void test_##fn() {                                                                                               \
    auto exact = [](Long x, Long y) { return reference(x, y); };                                                   \
    measure<double>(#fn, Call_##fn{}, exact, low, high, bound);                                                    \
    measure<float>(#fn, Call_##fn{}, exact, low, high, float_bound);                                               \
  }
// Results that are exact or rounded once: through double, so that long double does not round them twice.
Long sqrt_l(Long x) { return sqrt(static_cast<double>(x)); }
Long fdim_l(Long x, Long y) { return fdim(static_cast<double>(x), static_cast<double>(y)); }
Long rhypot_l(Long x, Long y) { return 1 / hypotl(x, y); }

#define ALL                                                                                                        \
  ONE(acos, acosl, -1, 1, 2, 2) ONE(acosh, acoshl, 1, 1e30, 3, 4) ONE(asin, asinl, -1, 1, 2, 2)                    \
  ONE(asinh, asinhl, -1e30, 1e30, 3, 3) ONE(atan, atanl, -1e30, 1e30, 2, 2) ONE(atanh, atanhl, -1, 1, 2, 3)        \
  ONE(cbrt, cbrtl, -1e30, 1e30, 1, 1) ONE(cos, cosl, -1e5, 1e5, 2, 2) ONE(sin, sinl, -1e5, 1e5, 2, 2)              \
  ONE(tan, tanl, -1e5, 1e5, 2, 4) ONE(cosh, coshl, -88, 88, 1, 2) ONE(sinh, sinhl, -88, 88, 2, 3)                  \
  ONE(tanh, tanhl, -20, 20, 1, 2) ONE(erf, erfl, -6, 6, 2, 2) ONE(erfc, erfcl, -6, 9, 5, 4)                        \
  ONE(exp, expl, -87, 88, 1, 2) ONE(exp2, exp2l, -126, 127, 1, 2) ONE(expm1, expm1l, -87, 88, 1, 1)                \
  ONE(exp10, exp10_l, -37, 38, 1, 2) ONE(log, logl, 0, 1e30, 1, 1) ONE(log10, log10l, 0, 1e30, 1, 2)               \
  ONE(log1p, log1pl, -1, 1e30, 1, 1) ONE(log2, log2l, 0, 1e30, 1, 1) ONE(tgamma, tgammal, -20, 34, 10, 5)          \
  ONE(lgamma, lgammal, -2.2, 1e20, 4, 6) ONE(sqrt, sqrt_l, 0, 1e30, 0, 0) ONE(rsqrt, rsqrt_l, 0, 1e30, 1, 2)        \
  ONE(rcbrt, rcbrt_l, -1e30, 1e30, 1, 1) ONE(sinpi, sinpi_l, -1e5, 1e5, 2, 1)                                      \
  ONE(cospi, cospi_l, -1e5, 1e5, 2, 1) ONE(erfcx, erfcx_l, -9, 1e10, 4, 4) ONE(normcdf, normcdf_l, -12, 10, 5, 5)  \
  ONE(erfinv, erfinv_l, -1, 1, 5, 2) ONE(erfcinv, erfcinv_all, 0, 2, 6, 4)                                         \
  ONE(normcdfinv, normcdfinv_l, 0, 1, 8, 5) ONE(cyl_bessel_i0, i0_l, -80, 80, 6, 6)                                \
  ONE(cyl_bessel_i1, i1_l, -80, 80, 6, 6) ONE(j0, j0l, -8, 8, 7, 9) ONE(j1, j1l, -8, 8, 7, 9)                      \
  ONE(y0, y0l, 0, 8, 7, 9) ONE(y1, y1l, 0, 8, 7, 9)                                                                \
  TWO(atan2, atan2l, -1e10, 1e10, 2, 3) TWO(fmod, fmodl, -1e6, 1e6, 0, 0) TWO(remainder, remainderl, -1e6, 1e6, 0, 0) \
  TWO(hypot, hypotl, -1e18, 1e18, 2, 3) TWO(rhypot, rhypot_l, -1e18, 1e18, 1, 2) TWO(pow, powl, 0, 20, 2, 4)       \
  TWO(fdim, fdim_l, -1e6, 1e6, 0, 0) TWO(fmax, fmaxl, -9, 9, 0, 0) TWO(fmin, fminl, -9, 9, 0, 0)                    \
  TWO(copysign, copysignl, -9, 9, 0, 0) ONE(fabs, fabsl, -9, 9, 0, 0) ONE(ceil, ceill, -1e6, 1e6, 0, 0)            \
  ONE(floor, floorl, -1e6, 1e6, 0, 0) ONE(trunc, truncl, -1e6, 1e6, 0, 0) ONE(round, roundl, -1e6, 1e6, 0, 0)      \
  ONE(rint, rintl, -1e6, 1e6, 0, 0) ONE(nearbyint, nearbyintl, -1e6, 1e6, 0, 0) ONE(logb, logbl, -1e6, 1e6, 0, 0)
ALL

int main() {
#undef ONE
#undef TWO
#define ONE(fn, ...) test_##fn();
#define TWO(fn, ...) test_##fn();
  ALL
  return check_report();
}

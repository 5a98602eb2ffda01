// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the math functions can be called: std:: and global overloads by type, integers, host and device from one function,
// the functions with pointers, norms, special values, the fast intrinsics, classification.
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -std=c++20 %s -o %t20 && %run %t20
// covers: C-5.5.4-01 C-5.5.8-01 C-5.5.9-02 B-6-01
#include <cmath>
#include <type_traits>

#include "check.h"
#include "math_constants.h"

// The float overload is chosen for float, the double one for double and integers.
__device__ void overloads() {
  float f = 0.5f;
  static_assert(std::is_same<decltype(std::sin(f)), float>::value, "");
  static_assert(std::is_same<decltype(sin(f)), float>::value, "");
  static_assert(std::is_same<decltype(std::exp(0.5)), double>::value, "");
  static_assert(std::is_same<decltype(std::sqrt(2)), double>::value, "");
  static_assert(std::is_same<decltype(std::pow(f, 2.0f)), float>::value, "");
  static_assert(std::is_same<decltype(std::pow(f, 2)), double>::value, "");
  static_assert(std::is_same<decltype(std::abs(f)), float>::value, "");
  static_assert(std::is_same<decltype(std::abs(-3)), int>::value, "");
  static_assert(std::is_same<decltype(std::fmax(f, 1.0)), double>::value, "");
  static_assert(std::is_same<decltype(rsqrt(f)), float>::value, "");
  static_assert(std::is_same<decltype(normcdf(f)), float>::value, "");
}

template <typename T> __host__ __device__ T both_sides(T x) {
  return std::sin(x) * std::cos(x) + std::exp(-x) + std::log(x + 1) + std::sqrt(x) + std::pow(x, T(1.5)) +
         std::fabs(-x) + std::floor(x) + std::atan2(x, T(2)) + std::tanh(x) + std::hypot(x, T(3)) + std::fma(x, x, x) +
         std::cbrt(x) + std::erf(x) + std::tgamma(x + 1) + std::fmod(x, T(0.7)) + std::round(x) + rsqrt(x) + sinpi(x) +
         normcdf(x) + erfcinv(x / 4) + exp10(x) + j0(x);
}

template <typename T> __global__ void evaluate(T *out) { out[threadIdx.x] = both_sides(threadIdx.x * T(0.1875) + T(0.125)); }

__global__ void pointers(double *d, float *f, int *n) {
  double whole, s, c;
  float fwhole, fs, fc;
  int e;
  d[0] = frexp(48.0, &e); n[0] = e;
  d[1] = modf(-3.75, &whole); d[2] = whole;
  d[3] = remquo(29.0, 3.0, &e); n[1] = e & 7;
  d[4] = ldexp(0.75, 10); d[5] = scalbn(3.0, -1074); d[6] = nextafter(1.0, 2.0);
  sincos(0.5, &s, &c); d[7] = s; d[8] = c;
  sincospi(0.25, &s, &c); d[9] = s; d[10] = c;
  n[2] = ilogb(1000.0); n[3] = static_cast<int>(lrint(2.5)); n[4] = static_cast<int>(llround(-2.5));
  f[0] = frexpf(0x1p-140f, &e); n[5] = e;
  f[1] = modff(7.25f, &fwhole); f[2] = fwhole;
  f[3] = remquof(-29.0f, 3.0f, &e); n[6] = e < 0;
  f[4] = ldexpf(1.0f, -149); f[5] = scalblnf(1.0f, 200);
  sincosf(0.5f, &fs, &fc); f[6] = fs; f[7] = fc;
  __sincosf(0.5f, &fs, &fc); f[8] = fs; f[9] = fc;
  f[10] = nextafterf(0.0f, -1.0f);
  n[7] = ilogbf(0.0f);
}

__global__ void norms(double *d, float *f) {
  double v[5] = {1, 2, 3, 4, 5};
  float w[5] = {1, 2, 3, 4, 5};
  d[0] = norm3d(2, 3, 6); d[1] = norm4d(2, 4, 5, 6); d[2] = norm(5, v); d[3] = rnorm3d(2, 3, 6);
  d[4] = rnorm4d(2, 4, 5, 6); d[5] = rnorm(5, v); d[6] = norm3d(3e200, 4e200, 0); d[7] = rhypot(3e-200, 4e-200);
  d[8] = hypot(NAN, INFINITY); d[9] = rnorm3d(0, 0, 0);
  f[0] = norm3df(2, 3, 6); f[1] = norm4df(2, 4, 5, 6); f[2] = normf(5, w); f[3] = rnorm3df(2, 3, 6);
  f[4] = rnorm4df(2, 4, 5, 6); f[5] = rnormf(5, w); f[6] = norm3df(3e30f, 4e30f, 0); f[7] = rhypotf(3e-30f, 4e-30f);
}

__global__ void specials(double *d, int *n, double zero) {
  d[0] = 1 / zero; d[1] = exp(1000.0); d[2] = exp10(-1000.0); d[3] = log(zero); d[4] = sqrt(-1.0 - zero);
  d[5] = erfinv(1.0); d[6] = erfcinv(zero); d[7] = normcdfinv(zero); d[8] = normcdf(-40.0); d[9] = rsqrt(zero);
  d[10] = erfcx(-30.0); d[11] = sinpi(1e300); d[12] = cospi(0.5); d[13] = tgamma(171.5); d[14] = y0(zero);
  d[15] = fmax(NAN, 3.0); d[16] = fmin(3.0, NAN); d[17] = cbrt(-27.0); d[18] = exp10(3.0); d[19] = log10(1e15);
  n[0] = isnan(d[4]); n[1] = isinf(d[0]); n[2] = isfinite(d[2]); n[3] = signbit(-zero); n[4] = std::isnormal(5e-324);
  n[5] = std::isgreater(1.0, NAN); n[6] = std::isunordered(1.0, NAN); n[7] = std::fpclassify(zero) == FP_ZERO;
}

__global__ void fast(float *out, float x) {
  out[0] = __sinf(x); out[1] = __cosf(x); out[2] = __tanf(x); out[3] = __expf(x); out[4] = __exp10f(x);
  out[5] = __logf(x); out[6] = __log2f(x); out[7] = __log10f(x); out[8] = __powf(x, 2.5f); out[9] = __fdividef(x, 3);
  out[10] = fdividef(x, 3); out[11] = __frsqrt_rn(x); out[12] = __saturatef(x * 3); out[13] = __saturatef(-x);
  out[14] = __saturatef(CUDART_NAN_F); out[15] = CUDART_PI_F; out[16] = __tanf(x);
}

int main() {
  double *d;
  float *f;
  int *n;
  CHECK_CUDA(cudaMallocManaged(&d, 32 * sizeof(double)));
  CHECK_CUDA(cudaMallocManaged(&f, 32 * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&n, 32 * sizeof(int)));

  evaluate<double><<<1, 16>>>(d);
  evaluate<float><<<1, 16>>>(f);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) {
    double x = both_sides(i * 0.1875 + 0.125);
    CHECK_NEAR(d[i], x, 1e-13 * fabs(x));
    float y = both_sides(i * 0.1875f + 0.125f);
    CHECK_NEAR(f[i], y, 3e-6 * fabs(y));
  }

  pointers<<<1, 1>>>(d, f, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(d[0], 0.75); CHECK_EQ(n[0], 6);
  CHECK_EQ(d[1], -0.75); CHECK_EQ(d[2], -3.0);
  CHECK_EQ(d[3], -1.0); CHECK_EQ(n[1], 2);  // 29 = 10 * 3 - 1; the low bits of 10
  CHECK_EQ(d[4], 768.0); CHECK_EQ(d[5], 3 * 0x1p-1074); CHECK_EQ(d[6], 1 + 0x1p-52);
  CHECK_NEAR(d[7], sin(0.5), 1e-16); CHECK_NEAR(d[8], cos(0.5), 2e-16);
  CHECK_NEAR(d[9], sqrt(0.5), 2e-16); CHECK_NEAR(d[10], sqrt(0.5), 2e-16);
  CHECK_EQ(n[2], 9); CHECK_EQ(n[3], 2); CHECK_EQ(n[4], -3);
  CHECK_EQ(f[0], 0.5f); CHECK_EQ(n[5], -139);
  CHECK_EQ(f[1], 0.25f); CHECK_EQ(f[2], 7.0f);
  CHECK_EQ(f[3], 1.0f); CHECK_EQ(n[6], 1);
  CHECK_EQ(f[4], 0x1p-149f); CHECK_EQ(f[5], INFINITY);
  CHECK_NEAR(f[6], sin(0.5), 6e-8); CHECK_NEAR(f[7], cos(0.5), 1.2e-7);
  CHECK_NEAR(f[8], sin(0.5), 0x1p-21); CHECK_NEAR(f[9], cos(0.5), 0x1p-21);
  CHECK_EQ(f[10], -0x1p-149f);
  CHECK_EQ(n[7], -2147483647 - 1);

  norms<<<1, 1>>>(d, f);
  CHECK_CUDA(cudaDeviceSynchronize());
  const double expected[8] = {7, 9, sqrt(55.0), 1 / 7.0, 1 / 9.0, 1 / sqrt(55.0), 5e200, 2e199};
  for (int i = 0; i < 8; ++i) CHECK_NEAR(d[i], expected[i], 4e-16 * expected[i]);
  CHECK_EQ(d[8], INFINITY);
  CHECK_EQ(d[9], INFINITY);
  const double fexpected[8] = {7, 9, sqrt(55.0), 1 / 7.0, 1 / 9.0, 1 / sqrt(55.0), 5e30, 2e29};
  for (int i = 0; i < 8; ++i) CHECK_NEAR(f[i], fexpected[i], 2.5e-7 * fexpected[i]);

  specials<<<1, 1>>>(d, n, 0.0);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(d[0], INFINITY); CHECK_EQ(d[1], INFINITY); CHECK_EQ(d[2], 0.0); CHECK_EQ(d[3], -INFINITY);
  CHECK(d[4] != d[4]);
  CHECK_EQ(d[5], INFINITY); CHECK_EQ(d[6], INFINITY); CHECK_EQ(d[7], -INFINITY); CHECK_EQ(d[8], 0.0);
  CHECK_EQ(d[9], INFINITY); CHECK_EQ(d[10], INFINITY); CHECK_EQ(d[11], 0.0); CHECK_EQ(d[12], 0.0);
  CHECK_NEAR(d[13], 9.483367566824795e307, 1e294); CHECK_EQ(d[14], -INFINITY);
  CHECK_EQ(d[15], 3.0); CHECK_EQ(d[16], 3.0); CHECK_EQ(d[17], -3.0);
  CHECK_NEAR(d[18], 1000.0, 2e-13); CHECK_NEAR(d[19], 15.0, 2e-15);
  const int flags[8] = {1, 1, 1, 1, 0, 0, 1, 1};
  for (int i = 0; i < 8; ++i) CHECK_EQ(n[i] != 0, flags[i] != 0);

  fast<<<1, 1>>>(f, 0.7f);
  CHECK_CUDA(cudaDeviceSynchronize());
  const double x = 0.7f;
  const double near[17] = {sin(x), cos(x), tan(x), exp(x), pow(10, x), log(x), log2(x), log10(x), pow(x, 2.5), x / 3,
                           x / 3, 1 / sqrt(x), 1, 0, 0, M_PI, tan(x)};
  for (int i = 0; i < 17; ++i) CHECK_NEAR(f[i], near[i], 1e-6 * fmax(fabs(near[i]), 1.0));
  return check_report();
}

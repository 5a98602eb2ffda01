// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modified Bessel functions I0 and I1: their power series for small arguments, a fit of the scaled function for large ones.
#include "device/lib/double_double.h"
#include "device/lib/elementary.h"

namespace {

constexpr double kSplit = 12;

// 1/(k!)^2 and 1/(k!(k+1)!): coefficients in (x/2)^2.
__constant__ const double kSeriesI0[] = {
    0x1.0000000000000p+0, 0x1.0000000000000p+0, 0x1.0000000000000p-2, 0x1.c71c71c71c71cp-6, 0x1.c71c71c71c71cp-10,
    0x1.23456789abcdfp-14, 0x1.02e85c0898b71p-19, 0x1.522a43f65486ap-25, 0x1.522a43f65486ap-31, 0x1.0b313289be0b9p-37,
    0x1.5601885e63e5dp-44, 0x1.69ca9cf3b7f54p-51, 0x1.4197a7f5154bcp-58, 0x1.e725594ee52e9p-66, 0x1.3e22d70ef3b5fp-73,
    0x1.69f7da8510bcdp-81, 0x1.69f7da8510bcdp-89, 0x1.40a2dc2460523p-97, 0x1.faaf2fa1c79e5p-106,
    0x1.674f8e46c208cp-114, 0x1.cbeaf38dc529fp-123, 0x1.0afb53e9cec0bp-131, 0x1.1a6d4e307528fp-140,
    0x1.1159d2b18fe1fp-149, 0x1.e5f504c9e358cp-159, 0x1.8e189760fbc74p-168, 0x1.2d843c1f0a6f9p-177,
    0x1.a787875e855a5p-187, 0x1.149733d53cf71p-196, 0x1.50c6b70b8d80dp-206, 0x1.7f2d2fd687f7dp-216,
    0x1.984bda886ca72p-226,};
__constant__ const double kSeriesI1[] = {
    0x1.0000000000000p+0, 0x1.0000000000000p-1, 0x1.5555555555555p-4, 0x1.c71c71c71c71cp-8, 0x1.6c16c16c16c17p-12,
    0x1.845c8a0ce5129p-17, 0x1.27e4fb7789f5cp-22, 0x1.522a43f65486ap-28, 0x1.2c9758daf5cd0p-34, 0x1.ab81ea75fcdf4p-41,
    0x1.f17697cf1cf13p-48, 0x1.e2637bef9ff1ap-55, 0x1.8bce58901a35ep-62, 0x1.165e7c2d153f3p-69, 0x1.53585cdcbfb10p-77,
    0x1.69f7da8510bcdp-85, 0x1.54ad09e6a6575p-93, 0x1.1d028acb00491p-101, 0x1.aaae78f4066a6p-110,
    0x1.1f72d8389b3a3p-118, 0x1.5e69de22df5cep-127, 0x1.84564b82a1184p-136, 0x1.88f11edf3ed4cp-145,
    0x1.6c77c3976a829p-154, 0x1.37033643c4b3bp-163, 0x1.e9f6e1b270f54p-173, 0x1.655a5a37c0843p-182,
    0x1.e4089ab52ab05p-192, 0x1.313415e2783ccp-201, 0x1.673a5cd91f786p-211, 0x1.8b897bb42941ep-221,
    0x1.984bda886ca72p-231,};

// sqrt(x) exp(-x) I(x) as polynomials in 24/x - 1 for x >= 12 (Chebyshev interpolation in 300 bits).
__constant__ const double kBesselI0[] = {
    0x1.9ab25f8f56038p-2, 0x1.1e0569de02b41p-9, 0x1.d5a27f377d5dcp-15, 0x1.77807b2ee85aep-19, 0x1.d2593f39f4956p-23,
    0x1.96f6e12d087b5p-26, 0x1.d94482604d48cp-29, 0x1.643bf1ff4925dp-31, 0x1.56ffb4e7c64e4p-33, 0x1.a8f72d7186098p-35,
    0x1.595950e45875ap-36, 0x1.7049cf6d853ebp-37, 0x1.d279c1ff40de9p-38, 0x1.ab1bf2e467eb3p-39,
    -0x1.f17f565a38a79p-40, -0x1.3be92d9dda578p-38, -0x1.2bca9432bfc5ap-39, 0x1.a786c894ec328p-40,
    0x1.c24b61b1fb29cp-40, -0x1.3352eb1500191p-43, -0x1.2417c92df5e91p-41, -0x1.0e9273897ccb6p-44,
    0x1.44feec8fcff68p-44, 0x1.23e6d3c84cfaap-46,};
__constant__ const double kBesselI1[] = {
    0x1.920c27c8dc633p-2, -0x1.a3c9adbe35639p-8, -0x1.7eb85088a9574p-14, -0x1.00e3b4196d579p-18,
    -0x1.24caf4e71441ap-22, -0x1.e56524af3a835p-26, -0x1.10a6b75906214p-28, -0x1.904711150388ap-31,
    -0x1.79f9a9a581afcp-33, -0x1.ccd07887a97e1p-35, -0x1.715ff985c409ap-36, -0x1.85b1fdf634c6fp-37,
    -0x1.eac288012e429p-38, -0x1.c6b55e0c5f8edp-39, 0x1.e95f1519f5f16p-40, 0x1.4501ed25b6c75p-38,
    0x1.3fd7a3ada83a7p-39, -0x1.a445bdb3b9d54p-40, -0x1.d675a88ff1a59p-40, 0x1.e1d2996f2fb99p-44,
    0x1.2eaa8b4ccf806p-41, 0x1.4386a08efe3c8p-44, -0x1.4f2f49e1ea0f7p-44, -0x1.44559a5d9828fp-46,};

template <int N> __device__ double polynomial(const double (&c)[N], double x) {
  double s = c[N - 1];
  for (int i = N - 2; i >= 0; --i) {
    s = __builtin_fma(s, x, c[i]);
  }
  return s;
}

/// A power series with positive coefficients: the terms that dominate are summed in two doubles.
template <int N> __device__ double series(const double (&c)[N], double x) {
  double s = c[N - 1];
  for (int i = N - 2; i >= 8; --i) {
    s = __builtin_fma(s, x, c[i]);
  }
  Double2 sum = {s, 0};
  for (int i = 7; i >= 0; --i) {
    sum = add(multiply(sum, x), {c[i], 0});
  }
  return sum.hi;
}

template <int N> __device__ double large(const double (&c)[N], double x) {
  if (!(x < 720)) {
    return x != x ? x : __builtin_inf();
  }
  double scaled = polynomial(c, 24 / x - 1) / __builtin_sqrt(x);
  double half = __hl_exp(0.5 * x);
  return scaled * half * half;
}

}  // namespace

HL_API double __hl_cyl_bessel_i0(double x) {
  double a = __builtin_fabs(x);
  return a < kSplit ? series(kSeriesI0, 0.25 * a * a) : large(kBesselI0, a);
}
HL_API double __hl_cyl_bessel_i1(double x) {
  double a = __builtin_fabs(x);
  double y = a < kSplit ? series(kSeriesI1, 0.25 * a * a) * (0.5 * a) : large(kBesselI1, a);
  return __builtin_copysign(y, x);
}
HL_API float __hl_cyl_bessel_i0f(float x) { return static_cast<float>(__hl_cyl_bessel_i0(x)); }
HL_API float __hl_cyl_bessel_i1f(float x) { return static_cast<float>(__hl_cyl_bessel_i1(x)); }

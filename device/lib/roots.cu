// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Square, cube and reciprocal roots, and the norms built on them.
#include "device/lib/double_double.h"

namespace {

__device__ bool ordinary(double x) { return x != 0 && __builtin_isfinite(x); }

/// 1 / sqrt(s) for a normal s far from overflow and underflow.
__device__ double reciprocal_root(Double2 s) {
  double root = __builtin_sqrt(s.hi);
  double y = 1 / root;
  double of_root = __builtin_fma(-root, root, s.hi) + s.lo;  // s - root^2
  double of_y = __builtin_fma(-y, root, 1.0);                // 1 - y root
  return __builtin_fma(y, of_y - 0.5 * of_root / s.hi, y);
}
__device__ double root_of(Double2 s) {
  double root = __builtin_sqrt(s.hi);
  return root + (__builtin_fma(-root, root, s.hi) + s.lo) / (2 * root);
}

/// x = mantissa * 8^k with 1 <= |mantissa| < 8.
__device__ double split_cube(double x, int *k) {
  double scaled = x;
  int extra = 0;
  if (__builtin_fabs(x) < 0x1p-1022) {
    scaled *= 0x1p60;
    extra = 60;
  }
  int e = static_cast<int>(bits_of(scaled) >> 52 & 2047) - 1023 - extra;
  int third = e >= 0 ? e / 3 : -((2 - e) / 3);
  *k = third;
  int rest = e - 3 * third;
  return double_of((bits_of(scaled) & 0x800fffffffffffffull) | static_cast<uint64>(1023 + rest) << 52);
}

/// 1 / cbrt(m) for 1 <= |m| < 8: a parabola, then Newton steps, the last with the residual in two doubles.
__device__ double reciprocal_cube_root(double m) {
  double a = __builtin_fabs(m);
  double z = __builtin_fma(a, __builtin_fma(a, 0.0125, -0.1825), 1.16);
  for (int i = 0; i < 5; ++i) {
    z = __builtin_fma(z * (1 / 3.0), __builtin_fma(-a * z * z, z, 1.0), z);
  }
  Double2 cube = multiply(multiply(exact_product(z, z), z), a);
  double residual = (1 - cube.hi) - cube.lo;
  z = __builtin_fma(z * (1 / 3.0), residual, z);
  return __builtin_copysign(z, m);
}

struct SquareSum {
  Double2 sum;
  bool infinite, nan;
};
__device__ void add_square(SquareSum *s, double x, double scale) {
  x *= scale;
  s->infinite |= __builtin_isinf(x);
  s->nan |= x != x;
  s->sum = add(s->sum, exact_product(x, x));
}

/// A power of two near 1/largest that keeps squares in range.
__device__ double scale_for(double largest) {
  if (!ordinary(largest)) {
    return 1;
  }
  int e = static_cast<int>(bits_of(largest) >> 52 & 2047) - 1023;
  return e > 500 ? 0x1p-600 : e < -400 ? 0x1p600 : 1;
}

__device__ double finish_norm(SquareSum s, double scale, bool reciprocal) {
  if (s.infinite) {
    return reciprocal ? 0 : __builtin_inf();
  }
  if (s.nan) {
    return __builtin_nan("");
  }
  if (s.sum.hi == 0) {
    return reciprocal ? __builtin_inf() : 0;
  }
  return reciprocal ? reciprocal_root(s.sum) * scale : root_of(s.sum) / scale;
}

template <typename F> __device__ double norm_of(int n, const F *p, bool reciprocal) {
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    largest = __builtin_fmax(largest, __builtin_fabs(static_cast<double>(p[i])));
  }
  double scale = scale_for(largest);
  SquareSum s = {{0, 0}, false, false};
  for (int i = 0; i < n; ++i) {
    add_square(&s, p[i], scale);
  }
  return finish_norm(s, scale, reciprocal);
}

__device__ double norm_of(double a, double b, double c, double d, bool reciprocal) {
  double p[4] = {a, b, c, d};
  return norm_of(4, p, reciprocal);
}

/// 1 / cbrt(a) for an ordinary a > 0: a third of the exponent taken away from the bits, then Newton's steps.
__device__ float reciprocal_cube_root(float a) {
  float z = float_of(0x54a21d2a - bits_of(a) / 3);
  for (int i = 0; i < 3; ++i) {
    z = __builtin_fmaf(z * (1 / 3.0f), __builtin_fmaf(-(a * z * z), z, 1.0f), z);
  }
  return z;
}
/// |x| as a number in the normal range: times 2^24 if it is subnormal.
__device__ float normal_size(float x, bool *is_tiny) {
  float a = __builtin_fabsf(x);
  *is_tiny = a < 0x1p-126f;
  return *is_tiny ? a * 0x1p24f : a;
}
__device__ bool ordinary(float x) { return x != 0 && __builtin_isfinite(x); }

__device__ double square(float x) { return static_cast<double>(x) * x; }
__device__ bool is_infinite(float x) { return __builtin_isinf(x); }
__device__ bool any_infinite(int n, const float *p) {
  bool any = false;
  for (int i = 0; i < n; ++i) {
    any |= is_infinite(p[i]);
  }
  return any;
}
__device__ double sum_of_squares(int n, const float *p) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += square(p[i]);
  }
  return sum;
}

}  // namespace

HL_API double __hl_rsqrt(double x) {
  if (!(x > 0) || __builtin_isinf(x)) {
    return 1 / __builtin_sqrt(x);
  }
  bool tiny = x < 0x1p-900;
  double y = reciprocal_root({tiny ? x * 0x1p200 : x, 0});
  return tiny ? y * 0x1p100 : y;
}
#if defined(__CUDA__)
HL_API float __hl_rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
#else
HL_API float __hl_rsqrtf(float x) { return 1 / __builtin_sqrtf(x); }
#endif
HL_API float __hl_frsqrt_rn(float x) { return static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x))); }

HL_API double __hl_rcbrt(double x) {
  if (!ordinary(x)) {
    return 1 / x;
  }
  int k;
  double m = split_cube(x, &k);
  return reciprocal_cube_root(m) * power_of_two(-k);
}
HL_API double __hl_cbrt(double x) {
  if (!ordinary(x)) {
    return x;
  }
  int k;
  double m = split_cube(x, &k);
  double z = reciprocal_cube_root(m);
  double t = m * z * z;
  Double2 cube = multiply(exact_product(t, t), t);
  t -= ((cube.hi - m) + cube.lo) * z * z * (1 / 3.0);
  return t * power_of_two(k);
}
HL_API float __hl_rcbrtf(float x) {
  bool is_tiny;
  float z = reciprocal_cube_root(normal_size(x, &is_tiny));
  return ordinary(x) ? __builtin_copysignf(is_tiny ? z * 0x1p8f : z, x) : 1 / x;
}
HL_API float __hl_cbrtf(float x) {
  bool is_tiny;
  float a = normal_size(x, &is_tiny), z = reciprocal_cube_root(a);
  float t = a * z * z, square = t * t, low = __builtin_fmaf(t, t, -square);
  float residual = __builtin_fmaf(low, t, __builtin_fmaf(square, t, -a));  // t^3 - a
  t = __builtin_fmaf(residual * (-1 / 3.0f), z * z, t);
  return ordinary(x) ? __builtin_copysignf(is_tiny ? t * 0x1p-8f : t, x) : x;
}

HL_API double __hl_hypot(double x, double y) { return norm_of(x, y, 0, 0, false); }
HL_API double __hl_rhypot(double x, double y) { return norm_of(x, y, 0, 0, true); }
HL_API double __hl_norm3d(double a, double b, double c) { return norm_of(a, b, c, 0, false); }
HL_API double __hl_rnorm3d(double a, double b, double c) { return norm_of(a, b, c, 0, true); }
HL_API double __hl_norm4d(double a, double b, double c, double d) { return norm_of(a, b, c, d, false); }
HL_API double __hl_rnorm4d(double a, double b, double c, double d) { return norm_of(a, b, c, d, true); }
HL_API double __hl_norm(int n, const double *p) { return norm_of(n, p, false); }
HL_API double __hl_rnorm(int n, const double *p) { return norm_of(n, p, true); }

// Single precision: squares of floats neither overflow nor underflow in double.
#define FLOAT_NORM(name, infinite, sum, ...)                                                \
  HL_API float __hl_##name##f(__VA_ARGS__) {                                                \
    double s = sum;                                                                         \
    return infinite ? __builtin_inff() : static_cast<float>(__builtin_sqrt(s));             \
  }                                                                                         \
  HL_API float __hl_r##name##f(__VA_ARGS__) {                                               \
    double s = sum;                                                                         \
    return infinite ? 0.0f : static_cast<float>(1 / __builtin_sqrt(s));                     \
  }
FLOAT_NORM(hypot, is_infinite(a) || is_infinite(b), square(a) + square(b), float a, float b)
FLOAT_NORM(norm3d, is_infinite(a) || is_infinite(b) || is_infinite(c), square(a) + square(b) + square(c), float a, float b,
           float c)
FLOAT_NORM(norm4d, is_infinite(a) || is_infinite(b) || is_infinite(c) || is_infinite(d),
           (square(a) + square(b)) + (square(c) + square(d)), float a, float b, float c, float d)
FLOAT_NORM(norm, any_infinite(n, p), sum_of_squares(n, p), int n, const float *p)

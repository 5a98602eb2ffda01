// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bessel functions on a GPU, as the C library has them on a CPU. Orders 0 and 1: Hankel's expansion for large arguments, else
// the recurrence downwards (Miller) with the sums that give its scale and Y (Abramowitz & Stegun 9.1.46, 9.1.88, 9.2.5).
// Other orders: the recurrence, upwards where it is stable and else downwards.
#include "device/lib/lib.h"

HL_PURE double __hl_sin(double);
HL_PURE double __hl_cos(double);
HL_PURE double __hl_log(double);
HL_PURE double __hl_j0(double);
HL_PURE double __hl_j1(double);
HL_PURE double __hl_y0(double);
HL_PURE double __hl_y1(double);

namespace {

constexpr double kPi = 0x1.921fb54442d18p+1, kEulerLessLog2 = -0x1.dadb014541eb2p-4;
constexpr double kLarge = 26;  // from here on the expansion's smallest term is below the last place of a double

struct Values {
  double j, y;
};

/// J and Y of order n (0 or 1) for x >= kLarge.
__device__ Values expand(int n, double x) {
  double mu = 4.0 * n * n, term = 1, p = 1, q = 0;
  for (int k = 1; k < 40; ++k) {
    double odd = 2 * k - 1;
    double next = term * (mu - odd * odd) / (k * 8 * x);
    if (__builtin_fabs(next) >= __builtin_fabs(term) || next == 0) {
      break;
    }
    term = next;
    double signed_term = k / 2 % 2 == 0 ? term : -term;
    (k % 2 == 0 ? p : q) += signed_term;
  }
  double s = __hl_sin(x), c = __hl_cos(x);
  double along = n == 0 ? c + s : s - c, across = n == 0 ? s - c : -(s + c);  // of the phase, times sqrt(2)
  double scale = 1 / __builtin_sqrt(kPi * x);
  return {scale * (p * along - q * across), scale * (p * across + q * along)};
}

/// The same for x so small that further terms do not count.
__device__ Values start(int n, double x) {
  double log_half = __hl_log(x) + kEulerLessLog2, half = 0.5 * x;  // half of the least number is zero
  if (n == 0) {
    double j = 1 - half * half;
    return {j, 2 / kPi * (log_half * j + half * half)};
  }
  return {half * (1 - 0.5 * half * half), 2 / kPi * ((log_half - 0.5) * half) - 2 / kPi / x};  // 1 / x may be infinite
}

/// A number of twice a double's precision: hi + lo, of which lo is below the last place of hi.
struct Twice {
  double hi = 0, lo = 0;
};

__device__ Twice add(Twice a, Twice b) {
  double sum = a.hi + b.hi, of_b = sum - a.hi;
  double lost = (a.hi - (sum - of_b)) + (b.hi - of_b) + (a.lo + b.lo);
  return {sum + lost, lost - ((sum + lost) - sum)};
}

__device__ Twice multiply(Twice a, Twice b) {
  double product = a.hi * b.hi;
  double lost = __builtin_fma(a.hi, b.hi, -product) + (a.hi * b.lo + a.lo * b.hi);
  return {product + lost, lost - ((product + lost) - product)};
}

__device__ Twice divide(Twice a, Twice b) {
  double ratio = a.hi / b.hi;
  double rest = __builtin_fma(-ratio, b.hi, a.hi) - ratio * b.lo + a.lo;
  return {ratio, rest / b.hi};
}

__device__ Twice minus(Twice a) { return {-a.hi, -a.lo}; }

/// The same for what lies between. The sums have terms that are larger than they are.
__device__ Values sum_up(int n, double x) {
  Twice next, value = {1e-280}, j0, j1, scale, y0, y1;
  for (int k = 2 * (static_cast<int>(x) / 2 + 20); k >= 0; --k) {
    Twice before = k > 0 ? add(multiply(divide({2.0 * k}, {x}), value), minus(next)) : Twice();
    int half = k / 2;
    Twice term = half % 2 == 0 ? value : minus(value);
    if (k >= 2 && k % 2 == 0) {
      scale = add(scale, {2 * value.hi, 2 * value.lo});
      y0 = add(y0, divide(term, {static_cast<double>(half)}));
    } else if (k >= 3) {
      y1 = add(y1, multiply(term, divide({static_cast<double>(k)}, {static_cast<double>(half) * (half + 1)})));
    }
    (k == 1 ? j1 : j0) = value;
    next = value;
    value = before;
  }
  scale = add(scale, j0);
  j0 = divide(j0, scale);
  j1 = divide(j1, scale);
  Twice log_half = {__hl_log(0.5 * x)}, euler = {0x1.2788cfc6fb619p-1, -0x1.6cb90701fbfabp-58};
  if (n == 0) {
    Twice sum = divide({-2 * y0.hi, -2 * y0.lo}, scale);
    return {j0.hi, 2 / kPi * add(multiply(add(log_half, euler), j0), sum).hi};
  }
  Twice sum = minus(add(divide(j0, {x}), divide(y1, scale)));
  return {j1.hi, 2 / kPi * add(multiply(add(log_half, add(euler, {-1})), j1), sum).hi};
}

__device__ Values values(int n, double x) { return x < 1e-4 ? start(n, x) : x < kLarge ? sum_up(n, x) : expand(n, x); }

__device__ double j_of(int n, double x) {
  double a = __builtin_fabs(x);
  if (!(a > 0 && a < __builtin_huge_val())) {
    return a == 0 ? (n == 0 ? 1 : x) : x != x ? x : 0;
  }
  double j = values(n, a).j;
  return n == 1 && x < 0 ? -j : j;
}

__device__ double y_of(int n, double x) {
  if (!(x > 0 && x < __builtin_huge_val())) {
    return x == 0 ? -__builtin_huge_val() : x > 0 ? 0 : __builtin_nan("");
  }
  return values(n, x).y;
}

/// J_n(x) for n >= 2 and 0 < x <= n: downwards from where the values no longer count, scaled by the sum that is one.
__device__ double downwards(int n, double x) {
  int start = 2 * ((n + static_cast<int>(__builtin_sqrt(60.0 * n)) + 20) / 2);
  double next = 0, value = 1e-300, sum = 0, wanted = 0;
  for (int k = start; k > 0; --k) {
    double before = 2.0 * k / x * value - next;
    next = value;
    value = before;
    if (__builtin_fabs(value) > 1e150) {
      next *= 1e-150;
      value *= 1e-150;
      sum *= 1e-150;
      wanted *= 1e-150;
    }
    if (k - 1 == n) {
      wanted = value;
    }
    if ((k - 1) % 2 == 0 && k - 1 > 0) {
      sum += 2 * value;
    }
  }
  return wanted / (sum + value);
}

template <double (*Zero)(double), double (*One)(double)> __device__ double upwards(int n, double x) {
  double before = Zero(x), value = One(x);
  for (int k = 1; k < n; ++k) {
    double next = 2.0 * k / x * value - before;
    before = value;
    value = next;
  }
  return value;
}

}  // namespace

#define ORDER(n)                                                       \
  HL_API double gpu_j##n(double) __asm__("__hl_libm_j" #n);            \
  HL_API double gpu_j##n(double x) { return j_of(n, x); }              \
  HL_API double gpu_y##n(double) __asm__("__hl_libm_y" #n);            \
  HL_API double gpu_y##n(double x) { return y_of(n, x); }              \
  HL_API float gpu_j##n##f(float) __asm__("__hl_libm_j" #n "f");       \
  HL_API float gpu_j##n##f(float x) { return static_cast<float>(j_of(n, x)); } \
  HL_API float gpu_y##n##f(float) __asm__("__hl_libm_y" #n "f");       \
  HL_API float gpu_y##n##f(float x) { return static_cast<float>(y_of(n, x)); }
ORDER(0)
ORDER(1)

HL_API double gpu_jn(int, double) __asm__("__hl_libm_jn");
HL_API double gpu_yn(int, double) __asm__("__hl_libm_yn");
HL_API float gpu_jnf(int, float) __asm__("__hl_libm_jnf");
HL_API float gpu_ynf(int, float) __asm__("__hl_libm_ynf");

/// The C library's: negative orders and arguments follow from J_-n(x) = J_n(-x) = (-1)^n J_n(x).
HL_API double gpu_jn(int n, double x) {
  double sign = n % 2 != 0 && (n < 0) != (x < 0) ? -1 : 1;
  n = n < 0 ? -n : n;
  double a = __builtin_fabs(x);
  if (n < 2) {
    return sign * (n == 0 ? __hl_j0(a) : __hl_j1(a));
  }
  if (!(a < __builtin_huge_val())) {
    return a != a ? a : 0;
  }
  return a == 0 ? 0 : sign * (a > n ? upwards<__hl_j0, __hl_j1>(n, a) : downwards(n, a));
}

HL_API double gpu_yn(int n, double x) {
  double sign = n < 0 && n % 2 != 0 ? -1 : 1;
  n = n < 0 ? -n : n;
  if (n < 2) {
    return sign * (n == 0 ? __hl_y0(x) : __hl_y1(x));
  }
  if (x == __builtin_huge_val()) {
    return 0;
  }
  double value = upwards<__hl_y0, __hl_y1>(n, x);
  return x > 0 && value != value ? -sign * __builtin_huge_val() : sign * value;
}

HL_API float gpu_jnf(int n, float x) { return static_cast<float>(gpu_jn(n, x)); }
HL_API float gpu_ynf(int n, float x) { return static_cast<float>(gpu_yn(n, x)); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products and quotients of complex numbers that the compiler leaves to a library: `_Complex` types and std::complex. NaN
// results are set right as annex G of the C standard asks for: an infinite factor makes an infinite product.
#include "device/lib/lib.h"

namespace {

HL_LOCAL bool is_infinite(float x) { return __builtin_isinf(x); }
HL_LOCAL bool is_infinite(double x) { return __builtin_isinf(x); }
HL_LOCAL bool is_nan(float x) { return x != x; }
HL_LOCAL bool is_nan(double x) { return x != x; }
HL_LOCAL float with_sign(float to, float from) { return __builtin_copysignf(to, from); }
HL_LOCAL double with_sign(double to, double from) { return __builtin_copysign(to, from); }
HL_LOCAL float larger(float x, float y) { return __builtin_fmaxf(__builtin_fabsf(x), __builtin_fabsf(y)); }
HL_LOCAL double larger(double x, double y) { return __builtin_fmax(__builtin_fabs(x), __builtin_fabs(y)); }
HL_LOCAL float scaled(float x, int by) { return static_cast<float>(x * double_of(static_cast<uint64>(by + 1023) << 52)); }
HL_LOCAL double scaled(double x, int by) {  // in two steps, each of which is a power of two
  int half = by / 2;
  return x * double_of(static_cast<uint64>(half + 1023) << 52) * double_of(static_cast<uint64>(by - half + 1023) << 52);
}
/// floor(log2(x)) of a finite x > 0.
HL_LOCAL int exponent(double x) {
  bool is_small = x < 0x1p-1022;
  return static_cast<int>(bits_of(is_small ? x * 0x1p60 : x) >> 52) - 1023 - (is_small ? 60 : 0);
}

/// An infinite part becomes 1, another one 0, with the sign that it has.
template <typename T> HL_LOCAL T boxed(T x) { return with_sign(is_infinite(x) ? T(1) : T(0), x); }
/// A NaN becomes a zero.
template <typename T> HL_LOCAL T plain(T x) { return is_nan(x) ? with_sign(T(0), x) : x; }

template <typename T> HL_LOCAL void product(T a, T b, T c, T d, T *real, T *imaginary) {
  T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  *real = ac - bd;
  *imaginary = ad + bc;
  if (!is_nan(*real) || !is_nan(*imaginary)) {
    return;
  }
  bool is_left = is_infinite(a) || is_infinite(b);
  bool is_right = is_infinite(c) || is_infinite(d);
  bool is_overflow = is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc);
  if (!is_left && !is_right && !is_overflow) {
    return;
  }
  a = is_left ? boxed(a) : plain(a), b = is_left ? boxed(b) : plain(b);
  c = is_right ? boxed(c) : plain(c), d = is_right ? boxed(d) : plain(d);
  *real = T(__builtin_inf()) * (a * c - b * d);
  *imaginary = T(__builtin_inf()) * (a * d + b * c);
}

template <typename T> HL_LOCAL void quotient(T a, T b, T c, T d, T *real, T *imaginary) {
  T size = larger(c, d);
  int by = size > 0 && !is_infinite(size) && !is_nan(size) ? -exponent(size) : 0;
  T x = by ? scaled(c, by) : c, y = by ? scaled(d, by) : d;
  T square = x * x + y * y;
  *real = scaled((a * x + b * y) / square, by);
  *imaginary = scaled((b * x - a * y) / square, by);
  if (!is_nan(*real) || !is_nan(*imaginary)) {
    return;
  }
  if (square == 0 && (!is_nan(a) || !is_nan(b))) {
    *real = with_sign(T(__builtin_inf()), c) * a;
    *imaginary = with_sign(T(__builtin_inf()), c) * b;
  } else if ((is_infinite(a) || is_infinite(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
    a = boxed(a), b = boxed(b);
    *real = T(__builtin_inf()) * (a * c + b * d);
    *imaginary = T(__builtin_inf()) * (b * c - a * d);
  } else if (is_infinite(size) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
    c = boxed(c), d = boxed(d);
    *real = T(0) * (a * c + b * d);
    *imaginary = T(0) * (b * c - a * d);
  }
}

}  // namespace

#define HL_COMPLEX(name, T, operation)                           \
  HL_API _Complex T name(T a, T b, T c, T d) {                   \
    _Complex T result;                                           \
    operation(a, b, c, d, &__real__ result, &__imag__ result);   \
    return result;                                               \
  }

HL_COMPLEX(__mulsc3, float, product)
HL_COMPLEX(__muldc3, double, product)
HL_COMPLEX(__divsc3, float, quotient)
HL_COMPLEX(__divdc3, double, quotient)

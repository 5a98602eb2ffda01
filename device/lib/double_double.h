// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as unevaluated sums of two doubles (about 106 bits), for the steps of a function where a rounding would show.
#pragma once

#include "device/lib/lib.h"

struct Double2 {
  double hi, lo;
};

/// |a| >= |b| or a == 0.
HL_LOCAL Double2 quick_sum(double a, double b) {
  double s = a + b;
  return {s, b - (s - a)};
}
HL_LOCAL Double2 exact_sum(double a, double b) {
  double s = a + b;
  double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
HL_LOCAL Double2 exact_product(double a, double b) {
  double p = a * b;
  return {p, __builtin_fma(a, b, -p)};
}
HL_LOCAL Double2 add(Double2 a, Double2 b) {
  Double2 s = exact_sum(a.hi, b.hi);
  Double2 t = exact_sum(a.lo, b.lo);
  s = quick_sum(s.hi, s.lo + t.hi);
  return quick_sum(s.hi, s.lo + t.lo);
}
HL_LOCAL Double2 multiply(Double2 a, Double2 b) {
  Double2 p = exact_product(a.hi, b.hi);
  return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
HL_LOCAL Double2 multiply(Double2 a, double b) {
  Double2 p = exact_product(a.hi, b);
  return quick_sum(p.hi, __builtin_fma(a.lo, b, p.lo));
}

/// 2^n for -1022 <= n <= 1023.
HL_LOCAL double power_of_two(int n) { return double_of(static_cast<uint64>(n + 1023) << 52); }

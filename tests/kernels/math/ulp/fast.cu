// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The errors of the fast single-precision intrinsics are within what is documented for each, and --use_fast_math takes
// them for the plain names.
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc --use_fast_math -ftz=false -DPLAIN %s -o %t.plain && %run %t.plain
// covers: C-5.5.9-02
#include <cmath>
#include <vector>

#include "check.h"

#if defined(PLAIN)
#define NAME(fn) fn
#else
#define NAME(fn) __##fn
#endif

constexpr int kN = 1 << 16;

struct Results {
  float exp, exp10, log, log2, log10, sin, cos, tan, tanh, pow, divide;
};

__global__ void evaluate(const float *x, Results *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i], w = x[kN - 1 - i];
  out[i] = {NAME(expf)(v), NAME(exp10f)(v), NAME(logf)(v), NAME(log2f)(v), NAME(log10f)(v), NAME(sinf)(v),
            NAME(cosf)(v), NAME(tanf)(v), NAME(tanhf)(v), NAME(powf)(v, w), NAME(fdividef)(v, w)};
}

double ulp_of(double exact) {
  float f = static_cast<float>(std::fabs(exact));
  return static_cast<double>(std::nextafterf(f, INFINITY)) - f;
}

/// `error` is at most so many units in the last place of `exact`; NaN and infinities agree.
bool within(float got, double exact, double units) {
  float want = static_cast<float>(exact);
  if (std::isnan(want) || std::isinf(want) || got == want) return std::isnan(want) ? std::isnan(got) : got == want;
  return std::fabs(got - exact) <= (units + 0.5) * ulp_of(exact);
}
bool near(float got, double exact, double difference) {
  return std::isnan(exact) ? std::isnan(got) : std::fabs(got - exact) <= difference;
}

#define REQUIRE(condition)                                           \
  if (!(condition)) {                                                \
    fprintf(stderr, "x = %a, y = %a: " #condition "\n", xf, yf);     \
    CHECK(condition);                                                \
    return;                                                          \
  }
void verify(float xf, float yf, const Results &r) {
  double x = xf, y = yf;
  REQUIRE(within(r.exp, std::exp(x), 2 + std::floor(std::fabs(1.173 * x))))
  REQUIRE(within(r.exp10, std::pow(10.0, x), 2 + std::floor(std::fabs(2.97 * x))))
  bool is_central = x >= 0.5 && x <= 2;
  REQUIRE(is_central ? near(r.log, std::log(x), 0x1p-21 * 0.7526) : within(r.log, std::log(x), 3))
  REQUIRE(is_central ? near(r.log2, std::log2(x), 0x1p-22) : within(r.log2, std::log2(x), 2))
  REQUIRE(is_central ? near(r.log10, std::log10(x), 0x1p-24) : within(r.log10, std::log10(x), 3))
  if (std::fabs(x) <= 3.14159) {
    REQUIRE(near(r.sin, std::sin(x), 0x1p-21 * 0.7526))
    REQUIRE(near(r.cos, std::cos(x), 0x1p-21 * 0.7526))
    REQUIRE(within(r.tan, std::tan(x), 5))
  }
  REQUIRE(near(r.tanh, std::tanh(x), 0x1p-11 * std::fabs(std::tanh(x))))
  if (x > 0 && std::isfinite(x) && std::isfinite(y)) {  // exp2f(y * __log2f(x)), each step with its error
    double exponent = y * std::log2(x), slack = std::fabs(y) * (0x1p-22 + std::fabs(std::log2(x)) * 0x1p-22);
    double low = std::exp2(exponent - slack), high = std::exp2(exponent + slack);
    REQUIRE(r.pow >= low * (1 - 0x1p-21) - 0x1p-149 && (r.pow <= high * (1 + 0x1p-21) + 0x1p-149 || high > 3.4e38))
  }
  if (std::fabs(y) >= 0x1p-126 && std::fabs(y) <= 0x1p126) REQUIRE(within(r.divide, x / y, 2))
}

int main() {
  float *x;
  Results *r;
  CHECK_CUDA(cudaMallocManaged(&x, kN * sizeof *x));
  CHECK_CUDA(cudaMallocManaged(&r, kN * sizeof *r));
  const float special[] = {0, -0.f, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-149f, 0x1p-126f, 2, 0.5f, 3.4e38f};
  for (int i = 0; i < kN; ++i) {
    unsigned bits = i * 2654435761u;
    double u = bits * 0x1p-32;
    float pattern;
    memcpy(&pattern, &bits, 4);
    x[i] = i < 12 ? special[i] : i % 4 == 0 ? pattern : i % 4 == 1 ? float(u * 2) : i % 4 == 2 ? float(u * 200 - 100) : float(u * 6 - 3);
  }
  evaluate<<<kN / 256, 256>>>(x, r);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kN; ++i) verify(x[i], x[kN - 1 - i], r[i]);
  return check_report();
}

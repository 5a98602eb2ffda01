// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp and log for the range that options need, to about an ulp, and divisions exact as the kernel's are.
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

/// For x < 87, and as good as zero below -87: 2^n times a polynomial on [-ln 2 / 2, ln 2 / 2].
Floats exponential(Floats x) {
  x = __builtin_elementwise_max(x, Floats(-87.0f));
  const Floats n = __builtin_elementwise_roundeven(x * Floats(1.44269504f));
  Floats r = fma(n, Floats(-0.693145752f), x);
  r = fma(n, Floats(-1.42860677e-6f), r);
  Floats p(1.98756912e-4f);
  for (float c : {1.39819994e-3f, 8.33345205e-3f, 4.16657962e-2f, 1.66666657e-1f, 5.0e-1f}) {
    p = fma(p, r, Floats(c));
  }
  p = fma(p * r, r, r) + Floats(1.0f);
  const Ints scale = (__builtin_convertvector(n, Ints) + Ints(127)) << Ints(23);
  return p * __builtin_bit_cast(Floats, scale);
}

/// For positive normal x: e ln 2 plus a polynomial on [sqrt(1/2) - 1, sqrt(2) - 1].
Floats logarithm(Floats x) {
  const Ints bits = __builtin_bit_cast(Ints, x) - Ints(0x3f3504f3);
  const Floats e = __builtin_convertvector(bits >> Ints(23), Floats);
  const Floats m = __builtin_bit_cast(Floats, (bits & Ints(0x7fffff)) + Ints(0x3f3504f3)) - Floats(1.0f);
  Floats p(7.0376836292e-2f);
  for (float c : {-1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f,
                  2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f}) {
    p = fma(p, m, Floats(c));
  }
  const Floats square = m * m;
  Floats y = p * m * square;
  y = fma(e, Floats(-2.12194440e-4f), y);
  y = fma(square, Floats(-0.5f), y);
  return fma(e, Floats(0.693359375f), m + y);
}

Floats normal_distribution(Floats d) {
  const Floats k = Floats(1.0f) / fma(Floats(0.2316419f), __builtin_elementwise_abs(d), Floats(1.0f));
  Floats p(1.330274429f);
  for (float c : {-1.821255978f, 1.781477937f, -0.356563782f, 0.31938153f}) {
    p = fma(p, k, Floats(c));
  }
  const Floats tail = Floats(0.3989422804f) * exponential(Floats(-0.5f) * d * d) * (k * p);
  return d > Floats(0.0f) ? Floats(1.0f) - tail : tail;
}

void run(const Problem &problem, const Memory &memory) {
  const int n = problem.sizes[0];
  const float rate = 0.02f, volatility = 0.30f;
  const float *price = memory.in<float>(0), *strike = memory.in<float>(1), *years = memory.in<float>(2);
  float *call = memory.out<float>(), *put = call + n;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i += kLanes) {
    const Floats s = load(price + i), x = load(strike + i), t = load(years + i);
    const Floats spread = Floats(volatility) * square_root(t);
    const Floats d1 = fma(Floats(rate + 0.5f * volatility * volatility), t, logarithm(s / x)) / spread;
    const Floats d2 = d1 - spread;
    const Floats cnd1 = normal_distribution(d1), cnd2 = normal_distribution(d2);
    const Floats present = x * exponential(Floats(-rate) * t);
    store(call + i, s * cnd1 - present * cnd2);
    store(put + i, present * (Floats(1.0f) - cnd2) - s * (Floats(1.0f) - cnd1));
  }
}

const Side side("black_scholes", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

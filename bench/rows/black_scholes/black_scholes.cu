// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__device__ float normal_distribution(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float tail = 0.39894228040143267794f * expf(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void black_scholes(int n, float rate, float volatility, const float *price, const float *strike,
                              const float *years, float *call, float *put) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = price[i], x = strike[i], t = years[i];
    float root = sqrtf(t);
    float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float cnd1 = normal_distribution(d1), cnd2 = normal_distribution(d2);
    float discount = expf(-rate * t);
    call[i] = s * cnd1 - x * discount * cnd2;
    put[i] = x * discount * (1.0f - cnd2) - s * (1.0f - cnd1);
  }
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int n = problem.sizes[0];
  float *call = memory.out<float>();
  black_scholes<<<(n + 127) / 128, 128>>>(n, 0.02f, 0.30f, memory.in<float>(0), memory.in<float>(1),
                                          memory.in<float>(2), call, call + n);
  hel::bench::finish();
}

const hel::bench::Side side("black_scholes", hel::bench::Who::Helicon, run);

}  // namespace

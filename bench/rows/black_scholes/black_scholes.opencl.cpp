// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
float normal_distribution(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float tail = 0.39894228040143267794f * exp(-0.5f * d * d) *
               (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}
__kernel void black_scholes(int n, float rate, float volatility, __global const float *price,
                            __global const float *strike, __global const float *years, __global float *call) {
  int i = get_global_id(0);
  __global float *put = call + n;
  if (i < n) {
    float s = price[i], x = strike[i], t = years[i];
    float root = sqrt(t);
    float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float cnd1 = normal_distribution(d1), cnd2 = normal_distribution(d2);
    float discount = exp(-rate * t);
    call[i] = s * cnd1 - x * discount * cnd2;
    put[i] = x * discount * (1.0f - cnd2) - s * (1.0f - cnd1);
  }
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "black_scholes");
  const int n = problem.sizes[0];
  const size_t groups = static_cast<size_t>(n + 127) / 128;
  kernel.run({groups * 128}, {128}, n, 0.02f, 0.30f, opencl::buffer(memory.inputs[0]), opencl::buffer(memory.inputs[1]),
             opencl::buffer(memory.inputs[2]), opencl::buffer(memory.output));
}

const Side side("black_scholes", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

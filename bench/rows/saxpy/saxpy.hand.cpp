// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &memory) {
  const int n = problem.sizes[0];
  const float *x = memory.in<float>(0);
  float *y = memory.out<float>();
#pragma omp parallel for simd schedule(static)
  for (int i = 0; i < n; i++) {
    y[i] = 0.5f * x[i] + y[i];
  }
}

const Side side("saxpy", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

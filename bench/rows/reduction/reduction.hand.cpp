// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &memory) {
  const int chunks = problem.sizes[0];
  const float *in = memory.in<float>(0);
  float *out = memory.out<float>();
#pragma omp parallel for schedule(static)
  for (int c = 0; c < chunks; c++) {
    const float *chunk = in + static_cast<ptrdiff_t>(c) * 2048;
    Floats sums[8] = {};
    for (int i = 0; i < 2048; i += 8 * kLanes) {
#pragma unroll
      for (int j = 0; j < 8; j++) {
        sums[j] += load(chunk + i + j * kLanes);
      }
    }
    out[c] = sum(((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7])));
  }
}

const Side side("reduction", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

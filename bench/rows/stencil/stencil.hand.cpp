// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Row by row, past the caches from the first aligned point of a row on.
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &memory) {
  const int width = problem.sizes[0], height = problem.sizes[1];
  const float *in = memory.in<float>(0);
  float *out = memory.out<float>();
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int y = 1; y < height - 1; y++) {
      const ptrdiff_t row = ptrdiff_t{y} * width;
      auto point = [&](ptrdiff_t i) {
        out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
      };
      ptrdiff_t i = row + 1;
      const ptrdiff_t end = row + width - 1;
      for (; i < end && i % kLanes != 0; i++) {
        point(i);
      }
      for (; i + kLanes <= end; i += kLanes) {
        const Floats around = load(in + i - 1) + load(in + i + 1) + load(in + i - width) + load(in + i + width);
        stream(out + i, fma(Floats(0.5f), load(in + i), Floats(0.125f) * around));
      }
      for (; i < end; i++) {
        point(i);
      }
    }
    _mm_sfence();
  }
}

const Side side("stencil", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

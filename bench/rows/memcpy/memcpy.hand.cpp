// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &memory) {
  const int n = problem.sizes[0], whole = n / kLanes * kLanes;
  const float *from = memory.in<float>(0);
  float *to = memory.out<float>();
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < whole; i += kLanes) {
      stream(to + i, load(from + i));
    }
    _mm_sfence();
  }
  __builtin_memcpy(to + whole, from + whole, static_cast<size_t>(n - whole) * sizeof(float));
}

const Side side("memcpy", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

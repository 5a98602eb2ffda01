// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum goes past the caches: what is only written need not be read first.
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

void run(const Problem &problem, const Memory &memory) {
  const int n = problem.sizes[0], whole = n / kLanes * kLanes;
  const float *a = memory.in<float>(0), *b = memory.in<float>(1);
  float *c = memory.out<float>();
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < whole; i += kLanes) {
      stream(c + i, load(a + i) + load(b + i));
    }
    _mm_sfence();
  }
  for (int i = whole; i < n; i++) {
    c[i] = a[i] + b[i];
  }
}

const Side side("vector_add", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

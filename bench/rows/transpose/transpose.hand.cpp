// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Squares of a vector's width are transposed in registers by interleaving, and written past the caches. A thread makes
// a band of columns of the input into rows of the output, so that what it writes is contiguous.
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

/// Lane i of v[j] becomes lane j of v[i]: each step interleaves the vectors of both halves.
void transpose_square(Floats (&v)[kLanes]) {
#pragma unroll
  for (int step = 1; step < kLanes; step *= 2) {
    Floats next[kLanes];
#pragma unroll
    for (int i = 0; i < kLanes / 2; i++) {
      const Floats a = v[i], b = v[i + kLanes / 2];
#ifdef __AVX512F__
      next[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      next[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
#else
      next[2 * i] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      next[2 * i + 1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
#endif
    }
#pragma unroll
    for (int i = 0; i < kLanes; i++) {
      v[i] = next[i];
    }
  }
}

void run(const Problem &problem, const Memory &memory) {
  const ptrdiff_t n = problem.sizes[0];
  const float *in = memory.in<float>(0);
  float *out = memory.out<float>();
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (ptrdiff_t x = 0; x < n; x += kLanes) {
      for (ptrdiff_t y = 0; y < n; y += kLanes) {
        Floats v[kLanes];
#pragma unroll
        for (int i = 0; i < kLanes; i++) {
          v[i] = load(in + (y + i) * n + x);
        }
        transpose_square(v);
#pragma unroll
        for (int i = 0; i < kLanes; i++) {
          stream(out + (x + i) * n + y, v[i]);
        }
      }
    }
    _mm_sfence();
  }
}

const Side side("transpose", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several vectors of points iterate together, so that their chains of operations overlap, until all have left.
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

constexpr int kVectors = 4;
constexpr int kWidth = kVectors * kLanes;  // of the picture a multiple

void iterate(Floats cx0, Floats cy, float step, int most, int *out) {
  Floats cx[kVectors], x[kVectors] = {}, y[kVectors] = {};
  Ints counts[kVectors] = {};
#pragma unroll
  for (int v = 0; v < kVectors; v++) {
    cx[v] = cx0 + Floats(static_cast<float>(v * kLanes) * step);
  }
  for (int i = 0; i < most; i++) {
    Ints any = Ints(0);
#pragma unroll
    for (int v = 0; v < kVectors; v++) {
      const Floats xx = x[v] * x[v];
      const Ints in =
          fma(y[v], y[v], xx) < Floats(4.0f);  // once out, a point stays out: its values only grow or are NaN
      counts[v] -= in;
      any |= in;
      const Floats next = fma(-y[v], y[v], xx) + cx[v];
      y[v] = fma(x[v] + x[v], y[v], cy);
      x[v] = next;
    }
#ifdef __AVX512F__
    if (_mm512_test_epi32_mask(static_cast<__m512i>(any), static_cast<__m512i>(any)) == 0) {
#else
    if (_mm256_testz_si256(static_cast<__m256i>(any), static_cast<__m256i>(any)) != 0) {
#endif
      break;
    }
  }
#pragma unroll
  for (int v = 0; v < kVectors; v++) {
    __builtin_memcpy(out + v * kLanes, &counts[v], sizeof counts[v]);
  }
}

void run(const Problem &problem, const Memory &memory) {
  const int width = problem.sizes[0], height = problem.sizes[1], most = problem.sizes[2];
  int *out = memory.out<int>();
  const float step_x = 3.0f / static_cast<float>(width), step_y = 3.0f / static_cast<float>(height);
  Floats lanes;
  for (int lane = 0; lane < kLanes; lane++) {
    lanes[lane] = static_cast<float>(lane);
  }
#pragma omp parallel for schedule(dynamic, 4)
  for (int py = 0; py < height; py++) {
    for (int px = 0; px < width; px += kWidth) {
      const Floats cx = fma(Floats(static_cast<float>(px)) + lanes, Floats(step_x), Floats(-2.0f));
      iterate(cx, Floats(static_cast<float>(py) * step_y - 1.5f), step_x, most, out + py * width + px);
    }
  }
}

const Side side("mandelbrot", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/limits.h"

#include <algorithm>
#include <chrono>

#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

template <typename Work> double best_seconds(int repeats, const Work &work) {
  double best = 1e9;
  for (int i = 0; i < repeats; i++) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double triad(size_t count) {
  const Place &place = host_place();
  auto *a = static_cast<float *>(place.allocate(count * 4)), *b = static_cast<float *>(place.allocate(count * 4)),
       *c = static_cast<float *>(place.allocate(count * 4));
  const double seconds = best_seconds(10, [&] {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i += kLanes) {
      stream(a + i, fma(load(c + i), Floats(3.0f), load(b + i)));
    }
    _mm_sfence();
  });
  for (float *array : {a, b, c}) {
    place.release(array);
  }
  return 12.0 * static_cast<double>(count) / seconds;
}

double multiply_adds(long rounds) {
  constexpr int kChains = 12;
  double flops = 0;
  const double seconds = best_seconds(5, [&] {
    flops = 0;
#pragma omp parallel reduction(+ : flops)
    {
      Floats x[kChains];
      for (int i = 0; i < kChains; i++) {
        x[i] = Floats(static_cast<float>(i));
      }
      Floats scale(0.999f), offset(0.25f);
      for (long r = 0; r < rounds; r++) {
#pragma unroll
        for (Floats &chain : x) {
          chain = fma(chain, scale, offset);
        }
        asm volatile("" : "+v"(scale));
      }
      for (Floats chain : x) {
        asm volatile("" ::"v"(chain));
      }
      flops += 2.0 * kLanes * kChains * static_cast<double>(rounds);
    }
  });
  return flops / seconds;
}

}  // namespace

Limits measure_limits(bool tiny) {
  return {triad(tiny ? size_t{1} << 16 : size_t{1} << 24), multiply_adds(tiny ? 1000 : 2'000'000)};
}

}  // namespace hel::bench

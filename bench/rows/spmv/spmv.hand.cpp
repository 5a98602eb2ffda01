// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row's elements fill vectors; the last one is masked.
#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

#ifdef __AVX512F__

float row_product(const int *columns, const float *values, const float *x, int count) {
  __m512 sum = _mm512_setzero_ps();
  for (; count > kLanes; count -= kLanes, columns += kLanes, values += kLanes) {
    sum = _mm512_fmadd_ps(_mm512_loadu_ps(values), _mm512_i32gather_ps(_mm512_loadu_si512(columns), x, 4), sum);
  }
  const auto there = static_cast<__mmask16>((1u << count) - 1);
  const __m512i last = _mm512_maskz_loadu_epi32(there, columns);
  const __m512 picked = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), there, last, x, 4);
  return _mm512_reduce_add_ps(_mm512_fmadd_ps(_mm512_maskz_loadu_ps(there, values), picked, sum));
}

#else

float row_product(const int *columns, const float *values, const float *x, int count) {
  Floats sums(0.0f);
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Ints picked;
    __builtin_memcpy(&picked, columns + i, sizeof picked);
    sums = fma(load(values + i), gather(x, picked), sums);
  }
  float result = sum(sums);
  for (; i < count; i++) {
    result += values[i] * x[columns[i]];
  }
  return result;
}

#endif

void run(const Problem &problem, const Memory &memory) {
  const int rows = problem.sizes[0];
  const int *starts = memory.in<int>(0), *columns = memory.in<int>(1);
  const float *values = memory.in<float>(2), *x = memory.in<float>(3);
  float *y = memory.out<float>();
#pragma omp parallel for schedule(dynamic, 1024)
  for (int row = 0; row < rows; row++) {
    const int first = starts[row];
    y[row] = row_product(columns + first, values + first, x, starts[row + 1] - first);
  }
}

const Side by_warp("spmv_warp_a_row", Who::Hand, run);
const Side by_thread("spmv_thread_a_row", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A packed product: panels of B stay in the second-level cache, a strip of A in the first, a tile of C in registers.
#include <algorithm>
#include <vector>

#include "bench/harness/row.h"
#include "bench/harness/simd.h"

namespace hel::bench {
namespace {

constexpr int kColumns = 2 * kLanes;          // of a tile in registers
constexpr int kRows = kLanes == 16 ? 12 : 6;  // the accumulators leave room for B's vectors
constexpr int kDepth = 256;                   // of a panel
constexpr int kStrips = 8;                    // of A that one thread packs at a time

/// C[rows x columns] += A strip (kDepth x kRows, packed) * B panel (kDepth x kColumns, packed)
void tile(int depth, const float *a, const float *b, float *c, int stride, int rows, int columns) {
  Floats sums[kRows][2] = {};
  for (int k = 0; k < depth; k++, a += kRows, b += kColumns) {
    const Floats b0 = load(b), b1 = load(b + kLanes);
#pragma unroll
    for (int i = 0; i < kRows; i++) {
      const Floats factor(a[i]);
      sums[i][0] = fma(factor, b0, sums[i][0]);
      sums[i][1] = fma(factor, b1, sums[i][1]);
    }
  }
  float out[kRows][kColumns];
#pragma unroll
  for (int i = 0; i < kRows; i++) {
    if (rows == kRows && columns == kColumns) {
      float *place = c + static_cast<ptrdiff_t>(i) * stride;
      store(place, load(place) + sums[i][0]);
      store(place + kLanes, load(place + kLanes) + sums[i][1]);
    } else {
      store(out[i], sums[i][0]);
      store(out[i] + kLanes, sums[i][1]);
    }
  }
  if (rows != kRows || columns != kColumns) {
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        c[static_cast<ptrdiff_t>(i) * stride + j] += out[i][j];
      }
    }
  }
}

void run(const Problem &problem, const Memory &memory) {
  const int n = problem.sizes[0];
  const auto stride = static_cast<ptrdiff_t>(n);
  const float *a = memory.in<float>(0), *b = memory.in<float>(1);
  float *c = memory.out<float>();
  const int panels = (n + kColumns - 1) / kColumns, strips = (n + kRows - 1) / kRows;
  static std::vector<float> packed;
  packed.resize(static_cast<size_t>(panels) * kColumns * kDepth);
#pragma omp parallel
  {
    std::vector<float> own(static_cast<size_t>(kStrips) * kRows * kDepth);
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++) {
      std::fill(c + i * stride, c + (i + 1) * stride, 0.0f);
    }
    for (int k0 = 0; k0 < n; k0 += kDepth) {
      const int depth = std::min(kDepth, n - k0);
#pragma omp for schedule(static)
      for (int p = 0; p < panels; p++) {
        float *to = packed.data() + static_cast<ptrdiff_t>(p) * kColumns * kDepth;
        const int columns = std::min(kColumns, n - p * kColumns);
        for (int k = 0; k < depth; k++, to += kColumns) {
          const float *from = b + (k0 + k) * stride + p * kColumns;
          std::copy(from, from + columns, to);
          std::fill(to + columns, to + kColumns, 0.0f);
        }
      }
#pragma omp for schedule(dynamic)
      for (int first = 0; first < strips; first += kStrips) {
        const int last = std::min(first + kStrips, strips);
        for (int s = first; s < last; s++) {
          float *to = own.data() + static_cast<ptrdiff_t>(s - first) * kRows * kDepth;
          for (int i = 0; i < kRows; i++) {
            const bool there = s * kRows + i < n;
            for (int k = 0; k < depth; k++) {
              to[k * kRows + i] = there ? a[(s * kRows + i) * stride + k0 + k] : 0.0f;
            }
          }
        }
        for (int p = 0; p < panels; p++) {
          for (int s = first; s < last; s++) {
            tile(depth, own.data() + static_cast<ptrdiff_t>(s - first) * kRows * kDepth,
                 packed.data() + static_cast<ptrdiff_t>(p) * kColumns * kDepth, c + s * kRows * stride + p * kColumns,
                 n, std::min(kRows, n - s * kRows), std::min(kColumns, n - p * kColumns));
          }
        }
      }
    }
  }
}

const Side tiled32("matmul_tiled_32", Who::Hand, run);
const Side tiled16("matmul_tiled_16", Who::Hand, run);
const Side naive("matmul_naive", Who::Hand, run);

}  // namespace
}  // namespace hel::bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// spmv: a sparse matrix (compressed rows, 1 to 63 elements each, near the diagonal) times a vector; two kernels against
// the same hand-written product.
#include <algorithm>
#include <bit>

#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int rows = tiny ? 300 : 1 << 17, band = tiny ? 200 : 8192;
  Words starts = {0}, columns;
  const Words lengths = random_integers(static_cast<size_t>(rows), 63, 1);
  for (int row = 0; row < rows; row++) {
    const int first = std::clamp(row - band / 2, 0, rows - band);
    const uint32_t length = lengths[static_cast<size_t>(row)] + 1;
    Words offsets = random_integers(length, static_cast<uint32_t>(band), 100 + static_cast<uint64_t>(row));
    std::ranges::sort(offsets);
    for (uint32_t offset : offsets) {
      columns.push_back(static_cast<uint32_t>(first) + offset);
    }
    starts.push_back(static_cast<uint32_t>(columns.size()));
  }
  const auto elements = static_cast<double>(columns.size());
  Words values = random_floats(columns.size(), -1, 1, 2);
  return {.sizes = {rows},
          .inputs = {std::move(starts), std::move(columns), std::move(values),
                     random_floats(static_cast<size_t>(rows), -1, 1, 3)},
          .output = Words(static_cast<size_t>(rows)),
          .bytes = 8.0 * elements + 12.0 * rows,
          .flops = 2.0 * elements};
}

const Row by_warp({.name = "spmv_warp_a_row", .must = 1.15, .stretch = 1.05, .tolerance = 1e-4, .problem = problem});
const Row by_thread({.name = "spmv_thread_a_row", .must = 2.3, .stretch = 1.5, .tolerance = 1e-4, .problem = problem});

}  // namespace
}  // namespace hel::bench

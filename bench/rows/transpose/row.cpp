// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose: of a square matrix that no cache holds, through a tile in shared memory.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int n = tiny ? 96 : 4096;
  const size_t count = static_cast<size_t>(n) * static_cast<size_t>(n);
  return {.sizes = {n},
          .inputs = {random_floats(count, -1, 1, 1)},
          .output = Words(count),
          .bytes = 8.0 * static_cast<double>(count)};
}

const Row row({.name = "transpose", .must = 1.8, .stretch = 1.0, .tolerance = 0, .problem = problem});

}  // namespace
}  // namespace hel::bench

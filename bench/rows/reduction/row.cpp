// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduction: the sum of each chunk of 2048 elements, one chunk a block; the array fits a last-level cache.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int chunks = tiny ? 5 : 2048, n = chunks * 2048;
  return {.sizes = {chunks},
          .inputs = {random_floats(static_cast<size_t>(n), -1, 1, 1)},
          .output = Words(static_cast<size_t>(chunks)),
          .bytes = 4.0 * n,
          .flops = 1.0 * n};
}

const Row row({.name = "reduction", .must = 1.4, .stretch = 1.2, .tolerance = 1e-4, .problem = problem});

}  // namespace
}  // namespace hel::bench

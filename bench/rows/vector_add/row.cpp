// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add: c = a + b over arrays that no cache holds.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int n = tiny ? 10'007 : 1 << 24;
  const auto count = static_cast<size_t>(n);
  return {.sizes = {n},
          .inputs = {random_floats(count, -1, 1, 1), random_floats(count, -1, 1, 2)},
          .output = Words(count),
          .bytes = 12.0 * n,
          .flops = 1.0 * n};
}

const Row row({.name = "vector_add", .must = 1.10, .stretch = 1.0, .tolerance = 0, .problem = problem});

}  // namespace
}  // namespace hel::bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// n_body: the accelerations that bodies cause on each other, all pairs; positions pass through a tile in shared memory.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int n = tiny ? 512 : 8192;
  return {.sizes = {n},
          .inputs = {random_floats(4 * static_cast<size_t>(n), 0.1, 1, 1)},
          .output = Words(4 * static_cast<size_t>(n)),
          .flops = 20.0 * n * n};
}

const Row row({.name = "n_body", .must = 1.05, .stretch = 0.95, .tolerance = 2e-4, .problem = problem});

}  // namespace
}  // namespace hel::bench

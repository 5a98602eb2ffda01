// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// saxpy: y = a x + y over arrays that no cache holds.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int n = tiny ? 10'007 : 1 << 24;
  const auto count = static_cast<size_t>(n);
  return {.sizes = {n},
          .inputs = {random_floats(count, -1, 1, 1)},
          .output = random_floats(count, -1, 1, 2),
          .bytes = 12.0 * n,
          .flops = 2.0 * n};
}

const Row row({.name = "saxpy", .must = 1.10, .stretch = 1.0, .problem = problem});

}  // namespace
}  // namespace hel::bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memcpy: cudaMemcpy within device memory against the best copy loop; at least 0.95 of its speed.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const size_t count = tiny ? 10'007 : size_t{1} << 24;
  return {.sizes = {static_cast<int>(count)},
          .inputs = {random_integers(count, 0xffffffff, 1)},
          .output = Words(count),
          .bytes = 8.0 * static_cast<double>(count)};
}

const Row row(
    {.name = "memcpy", .must = 1 / 0.95, .stretch = 1, .output = Element::Int, .kernel = false, .problem = problem});

}  // namespace
}  // namespace hel::bench

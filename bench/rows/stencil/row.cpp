// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// stencil: each inner point of a plane from itself and its four neighbours; planes that no cache holds.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int width = tiny ? 100 : 4096, height = tiny ? 37 : 4096;
  const size_t count = static_cast<size_t>(width) * static_cast<size_t>(height);
  return {.sizes = {width, height},
          .inputs = {random_floats(count, -1, 1, 1)},
          .output = Words(count),
          .bytes = 8.0 * static_cast<double>(count),
          .flops = 5.0 * static_cast<double>(count)};
}

const Row row({.name = "stencil", .must = 1.10, .stretch = 1.0, .problem = problem});

}  // namespace
}  // namespace hel::bench

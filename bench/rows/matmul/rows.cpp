// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul: C = A B of square matrices; three kernels against the same packed product.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int n = tiny ? 64 : 1024;
  const size_t count = static_cast<size_t>(n) * static_cast<size_t>(n);
  return {.sizes = {n},
          .inputs = {random_floats(count, -1, 1, 1), random_floats(count, -1, 1, 2)},
          .output = Words(count),
          .flops = 2.0 * n * n * n};
}

constexpr double kTolerance = 1e-4;  // sums of a thousand products in another order
const Row tiled32(
    {.name = "matmul_tiled_32", .must = 1.75, .stretch = 1.2, .tolerance = kTolerance, .problem = problem});
const Row tiled16(
    {.name = "matmul_tiled_16", .must = 2.75, .stretch = 2.0, .tolerance = kTolerance, .problem = problem});
const Row naive({.name = "matmul_naive", .must = 7, .stretch = 2.5, .tolerance = kTolerance, .problem = problem});

}  // namespace
}  // namespace hel::bench

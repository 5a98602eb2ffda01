// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// black_scholes: prices of European call and put options, with the polynomial for the normal distribution that every
// version of this benchmark uses (Abramowitz and Stegun 26.2.17).
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int n = tiny ? 2048 : 1 << 20;
  const auto count = static_cast<size_t>(n);
  return {
      .sizes = {n},
      .inputs = {random_floats(count, 5, 30, 1), random_floats(count, 1, 100, 2), random_floats(count, 0.25, 10, 3)},
      .output = Words(2 * count),
      .bytes = 20.0 * n};
}

const Row row({.name = "black_scholes", .must = 1.2, .stretch = 1.0, .tolerance = 1e-4, .problem = problem});

}  // namespace
}  // namespace hel::bench

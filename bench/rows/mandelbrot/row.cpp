// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mandelbrot: iterations until a point leaves the circle, at most 256. Where a point lies on the edge the last bit of a
// sum decides, so a few counts may differ.
#include "bench/harness/row.h"

namespace hel::bench {
namespace {

Problem problem(bool tiny) {
  const int width = tiny ? 64 : 1024, height = tiny ? 48 : 1024;
  return {.sizes = {width, height, 256}, .output = Words(static_cast<size_t>(width) * static_cast<size_t>(height))};
}

const Row row(
    {.name = "mandelbrot", .must = 1.8, .stretch = 1.1, .output = Element::Int, .outliers = 1e-2, .problem = problem});

}  // namespace
}  // namespace hel::bench

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void stencil(int width, int height, __global const float *in, __global float *out) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int i = y * width + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "stencil");
  const int width = problem.sizes[0], height = problem.sizes[1];
  const size_t columns = static_cast<size_t>(width + 31) / 32, rows = static_cast<size_t>(height + 7) / 8;
  kernel.run({columns * 32, rows * 8}, {32, 8}, width, height, opencl::buffer(memory.inputs[0]),
             opencl::buffer(memory.output));
}

const Side side("stencil", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

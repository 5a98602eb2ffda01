// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void mandelbrot(int width, int height, int most, __global int *out) {
  int px = get_global_id(0), py = get_global_id(1);
  if (px >= width || py >= height) return;
  float cx = -2.0f + px * (3.0f / width), cy = -1.5f + py * (3.0f / height);
  float x = 0, y = 0;
  int count = 0;
  while (count < most && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    count++;
  }
  out[py * width + px] = count;
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "mandelbrot");
  const int width = problem.sizes[0], height = problem.sizes[1], most = problem.sizes[2];
  const size_t columns = static_cast<size_t>(width + 31) / 32, rows = static_cast<size_t>(height + 7) / 8;
  kernel.run({columns * 32, rows * 8}, {32, 8}, width, height, most, opencl::buffer(memory.output));
}

const Side side("mandelbrot", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

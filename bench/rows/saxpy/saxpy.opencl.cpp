// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void saxpy(int n, float a, __global const float *x, __global float *y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "saxpy");
  const int n = problem.sizes[0];
  const size_t groups = static_cast<size_t>(n + 255) / 256;
  kernel.run({groups * 256}, {256}, n, 0.5f, opencl::buffer(memory.inputs[0]), opencl::buffer(memory.output));
}

const Side side("saxpy", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

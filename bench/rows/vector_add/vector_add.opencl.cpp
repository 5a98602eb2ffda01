// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void vector_add(int n, __global const float *a, __global const float *b, __global float *c) {
  int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "vector_add");
  const int n = problem.sizes[0];
  const size_t groups = static_cast<size_t>(n + 255) / 256;
  kernel.run({groups * 256}, {256}, n, opencl::buffer(memory.inputs[0]), opencl::buffer(memory.inputs[1]),
             opencl::buffer(memory.output));
}

const Side side("vector_add", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

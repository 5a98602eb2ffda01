// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL 1.2 has no shuffles: the tree is in local memory.
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void reduction(__global const float *in, __global float *out) {
  __local float partial[256];
  int t = get_local_id(0);
  __global const float *chunk = in + get_group_id(0) * 2048;
  float sum = 0;
  for (int i = t; i < 2048; i += 256) sum += chunk[i];
  partial[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) partial[t] += partial[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) out[get_group_id(0)] = partial[0];
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "reduction");
  kernel.run({static_cast<size_t>(problem.sizes[0]) * 256}, {256}, opencl::buffer(memory.inputs[0]),
             opencl::buffer(memory.output));
}

const Side side("reduction", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

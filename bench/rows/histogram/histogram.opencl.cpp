// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void clear(__global uint *out) { out[get_global_id(0)] = 0; }
__kernel void histogram(int n, __global const uchar *bytes, __global uint *out) {
  __local uint bins[256];
  int t = get_local_id(0);
  bins[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&bins[bytes[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[t], bins[t]);
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel clear(kSource, "clear"), kernel(kSource, "histogram");
  clear.run({256}, {256}, opencl::buffer(memory.output));
  kernel.run({256 * 256}, {256}, problem.sizes[0], opencl::buffer(memory.inputs[0]), opencl::buffer(memory.output));
}

const Side side("histogram", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

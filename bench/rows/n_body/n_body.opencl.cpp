// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/opencl.h"

namespace hel::bench {
namespace {

constexpr char kSource[] = R"(
__kernel void n_body(int n, __global const float4 *bodies, __global float4 *accelerations) {
  __local float4 tile[256];
  int i = get_global_id(0), t = get_local_id(0);
  float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += 256) {
    tile[t] = bodies[start + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 256; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float inverse = rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      float force = tile[j].w * inverse * inverse * inverse;
      ax += dx * force;
      ay += dy * force;
      az += dz * force;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  accelerations[i] = (float4)(ax, ay, az, 0);
}
)";

void run(const Problem &problem, const Memory &memory) {
  static opencl::Kernel kernel(kSource, "n_body");
  const int n = problem.sizes[0];
  kernel.run({static_cast<size_t>(n)}, {256}, n, opencl::buffer(memory.inputs[0]), opencl::buffer(memory.output));
}

const Side side("n_body", Who::OpenCl, run);

}  // namespace
}  // namespace hel::bench

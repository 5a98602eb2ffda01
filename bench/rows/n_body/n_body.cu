// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void n_body(int n, const float4 *bodies, float4 *accelerations) {
  __shared__ float4 tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += blockDim.x) {
    tile[threadIdx.x] = bodies[start + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float squared = dx * dx + dy * dy + dz * dz + 0.01f;
      float inverse = rsqrtf(squared);
      float force = tile[j].w * inverse * inverse * inverse;
      sum.x += dx * force;
      sum.y += dy * force;
      sum.z += dz * force;
    }
    __syncthreads();
  }
  accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int n = problem.sizes[0];
  n_body<<<n / 256, 256>>>(n, memory.in<float4>(0), memory.out<float4>());
  hel::bench::finish();
}

const hel::bench::Side side("n_body", hel::bench::Who::Helicon, run);

}  // namespace

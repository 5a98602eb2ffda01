// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void stencil(int width, int height, const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int i = y * width + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int width = problem.sizes[0], height = problem.sizes[1];
  dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  stencil<<<grid, block>>>(width, height, memory.in<float>(0), memory.out<float>());
  hel::bench::finish();
}

const hel::bench::Side side("stencil", hel::bench::Who::Helicon, run);

}  // namespace

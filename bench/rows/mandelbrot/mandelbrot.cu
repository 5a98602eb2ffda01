// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void mandelbrot(int width, int height, int most, int *out) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) {
    return;
  }
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

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int width = problem.sizes[0], height = problem.sizes[1];
  dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
  mandelbrot<<<grid, block>>>(width, height, problem.sizes[2], memory.out<int>());
  hel::bench::finish();
}

const hel::bench::Side side("mandelbrot", hel::bench::Who::Helicon, run);

}  // namespace

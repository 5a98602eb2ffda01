// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int n = problem.sizes[0];
  saxpy<<<(n + 255) / 256, 256>>>(n, 0.5f, memory.in<float>(0), memory.out<float>());
  hel::bench::finish();
}

const hel::bench::Side side("saxpy", hel::bench::Who::Helicon, run);

}  // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void vector_add(int n, const float *a, const float *b, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int n = problem.sizes[0];
  vector_add<<<(n + 255) / 256, 256>>>(n, memory.in<float>(0), memory.in<float>(1), memory.out<float>());
  hel::bench::finish();
}

const hel::bench::Side side("vector_add", hel::bench::Who::Helicon, run);

}  // namespace

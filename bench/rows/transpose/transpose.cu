// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void transpose(int n, const float *in, float *out) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
  }
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  int n = problem.sizes[0];
  transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(n, memory.in<float>(0), memory.out<float>());
  hel::bench::finish();
}

const hel::bench::Side side("transpose", hel::bench::Who::Helicon, run);

}  // namespace

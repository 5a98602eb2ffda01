// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void reduction(const float *in, float *out) {
  __shared__ float partial[32];
  const float *chunk = in + blockIdx.x * 2048;
  float sum = 0;
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) {
    sum += chunk[i];
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    for (int offset = 16; offset > 0; offset /= 2) {
      sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (threadIdx.x == 0) {
      out[blockIdx.x] = sum;
    }
  }
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  reduction<<<problem.sizes[0], 256>>>(memory.in<float>(0), memory.out<float>());
  hel::bench::finish();
}

const hel::bench::Side side("reduction", hel::bench::Who::Helicon, run);

}  // namespace

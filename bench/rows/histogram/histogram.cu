// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/harness/cuda_check.h"

#include "bench/harness/row.h"

__global__ void histogram(int n, const unsigned char *bytes, unsigned *out) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[bytes[i]], 1);
  }
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

namespace {

void run(const hel::bench::Problem &problem, const hel::bench::Memory &memory) {
  hel::bench::check(cudaMemsetAsync(memory.output, 0, 256 * sizeof(unsigned)), "cudaMemsetAsync");
  histogram<<<256, 256>>>(problem.sizes[0], memory.in<unsigned char>(0), memory.out<unsigned>());
  hel::bench::finish();
}

const hel::bench::Side side("histogram", hel::bench::Who::Helicon, run);

}  // namespace

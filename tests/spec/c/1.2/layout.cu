// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results do not depend on how many processors there are, nor on how the grid is cut.
// RUN: %mcc -std=c++17 %s -o %t && env HELICON_THREADS=1 timeout 60 %t >%t.one && env HELICON_THREADS=2 timeout 60 %t >%t.two
// RUN: %run %t >%t.all && diff %t.one %t.two && diff %t.one %t.all
// covers: C-1.2.2-01
#include "check.h"

#include <cuda_runtime.h>

__global__ void mix(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned room[128];
  for (int start = blockIdx.x * 128; start < n; start += gridDim.x * 128) {
    int i = start + threadIdx.x;
    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
      room[k] = in[start + k];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 128; k += blockDim.x) {
      unsigned x = room[k] * 2654435761u ^ room[127 - k];
      out[start + k] = x ^ __shfl_xor_sync(0xffffffffu, x, 1);
    }
    __syncthreads();
    (void)i;
  }
}
__global__ void total(const unsigned *in, unsigned long long *sum, int n) {
  unsigned long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    mine += in[i];
  }
  atomicAdd(sum, mine);
}

int main() {
  const int n = 128 * 300;
  unsigned *in, *out;
  unsigned long long *sum;
  CHECK_CUDA(cudaMallocManaged(&in, n * sizeof(unsigned)));
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(unsigned)));
  CHECK_CUDA(cudaMallocManaged(&sum, sizeof *sum));
  for (int i = 0; i < n; ++i) {
    in[i] = i * 747796405u;
  }
  unsigned long long first = 0;
  for (int blocks : {1, 3, 64, 300, 500}) {
    for (int threads : {32, 64, 128}) {
      *sum = 0;
      mix<<<blocks, threads>>>(in, out, n);
      total<<<blocks, threads>>>(out, sum, n);
      CHECK_CUDA(cudaDeviceSynchronize());
      if (first == 0) {
        first = *sum;
        printf("%llu\n", first);
      }
      CHECK_EQ(*sum, first);
    }
  }
  CHECK(first != 0);
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.multiProcessorCount >= 1);
  return check_report();
}

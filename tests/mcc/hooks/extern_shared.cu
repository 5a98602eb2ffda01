// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `extern __shared__` with a size is a variable of its own; without one it is the launch's dynamic shared memory.
// RUN: %mcc %s -o %t 2>%t.messages && %run %t && %FileCheck %s <%t.messages
// covers: C-2.3.3.2-01
#include "check.h"

#include <cuda_runtime.h>

__global__ void kernel(int *out) {
  extern __shared__ int dynamic[];
  // CHECK: extern_shared.cu:[[@LINE+1]]:{{[0-9]+}}: warning: a __shared__ variable with a size is defined here, 'extern' is ignored
  extern __shared__ int sized[32];
  // CHECK: extern_shared.cu:[[@LINE+1]]:{{[0-9]+}}: warning: a __shared__ variable with a size
  extern __shared__ int single;
  sized[threadIdx.x] = threadIdx.x;
  dynamic[threadIdx.x] = 100 + threadIdx.x;
  if (threadIdx.x == 7) {
    single = 1000;
  }
  __syncthreads();
  out[threadIdx.x] = sized[31 - threadIdx.x] + dynamic[threadIdx.x] + single;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 128));
  kernel<<<1, 32, 128>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(out[i], 31 - i + 100 + i + 1000);
  }
  return check_report();
}

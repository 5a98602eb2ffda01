// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache of run-time compilation, by the platform's variables: where it is, how large it may grow, and that it is off.
// gpu: no (about code that is compiled for the CPU at run time)
// RUN: %mcc -rdc=true %s -o %t && rm -rf %t.cache %t.off %t.small
// RUN: env -u HELICON_CACHE_DIR CUDA_CACHE_PATH=%t.cache %run %t && ls %t.cache | grep -c '\.so$' | grep -qx 1
// RUN: env -u HELICON_CACHE_DIR CUDA_CACHE_PATH=%t.cache %run %t && ls %t.cache | grep -c '\.so$' | grep -qx 1
// RUN: env -u HELICON_CACHE_DIR CUDA_CACHE_PATH=%t.off CUDA_CACHE_DISABLE=1 %run %t && test ! -e %t.off
// RUN: env -u HELICON_CACHE_DIR CUDA_CACHE_PATH=%t.small CUDA_CACHE_MAXSIZE=100 %run %t && ls %t.small | wc -l | grep -qx 0
// RUN: env -u HELICON_CACHE_DIR MUSA_CACHE_PATH=%t.small %run %t && ls %t.small | grep -c '\.so$' | grep -qx 1
// covers: C-5.2.2.1-01
#include <cuda_runtime.h>

#include "check.h"

__device__ int twice(int x) { return 2 * x; }
__global__ void run(int *p) { *p = twice(*p); }

int main() {
  int *p = nullptr;
  CHECK_CUDA(cudaMallocManaged(&p, sizeof *p));
  *p = 21;
  run<<<1, 1>>>(p);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*p, 42);
  CHECK_CUDA(cudaFree(p));
  return check_report();
}

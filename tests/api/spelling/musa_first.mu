// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both spellings in a MUSA source: what is included first takes nothing from the other.
// RUN: %mcc %s -o %t && %run %t
#include <musa.h>
#include <musa_runtime.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include "check.h"

__global__ void store(int *p) { *p = 5; }

int main() {
  int *p = nullptr;
  cudaLogLevel level = cudaLogLevelError;
  CHECK(level != cudaLogLevelWarning);
  CHECK_MUSA(musaMallocManaged(&p, sizeof *p));
  store<<<1, 1>>>(p);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*p, 5);
  CHECK_CUDA(cudaFree(p));
  return check_report();
}

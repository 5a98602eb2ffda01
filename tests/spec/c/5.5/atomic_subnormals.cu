// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic sums of subnormal numbers: kept in shared memory whatever -ftz says, and in double precision everywhere.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.5.3-02
#include "check.h"

#include <cuda_runtime.h>

#include <float.h>

__global__ void add(float *single, double *twice) {
  __shared__ float room;
  if (threadIdx.x == 0) {
    room = 0;
  }
  __syncthreads();
  atomicAdd(&room, FLT_TRUE_MIN);
  atomicAdd(twice, DBL_TRUE_MIN);
  __syncthreads();
  if (threadIdx.x == 0) {
    *single = room;
  }
}

int main() {
  float *single;
  double *twice;
  CHECK_CUDA(cudaMallocManaged(&single, sizeof *single));
  CHECK_CUDA(cudaMallocManaged(&twice, sizeof *twice));
  *twice = 0;
  add<<<1, 64>>>(single, twice);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*single, 64 * FLT_TRUE_MIN);
  CHECK_EQ(*twice, 64 * DBL_TRUE_MIN);
  return check_report();
}

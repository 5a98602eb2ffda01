// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaConfigureCall, cudaSetupArgument, cudaLaunch: launches in three steps, as sources for early versions make them.
// RUN: %mcc -std=c++17 -w %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

struct Pair {
  double a;
  short b;
};

__global__ void fill(int *out, Pair pair, char c) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = (int)pair.a + pair.b + c;
  out[blockIdx.x * blockDim.x + threadIdx.x] = shared[threadIdx.x];
}
__global__ void nothing() {}

int main() {
  CHECK_ERROR(cudaLaunch(nothing), cudaErrorMissingConfiguration);
  CHECK_ERROR(cudaSetupArgument(1, 0), cudaErrorMissingConfiguration);
  int *out = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&out, 8 * sizeof(int)));
  CHECK_CUDA(cudaConfigureCall(2, 4, 4 * sizeof(int), 0));
  Pair pair = {1000, 200};
  char c = 30;
  CHECK_CUDA(cudaSetupArgument(&c, sizeof c, 24));  // in any order
  CHECK_CUDA(cudaSetupArgument(out, 0));
  CHECK_CUDA(cudaSetupArgument(pair, 8));
  CHECK_ERROR(cudaSetupArgument(&pair, 1 << 20, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaSetupArgument(nullptr, 4, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaConfigureCall(dim3(1), dim3(1)));  // another launch in between
  CHECK_CUDA(cudaLaunch((const void *)nothing));
  CHECK_CUDA(cudaLaunch(fill));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 8; i++) {
    CHECK_EQ(out[i], 1230);
  }
  CHECK_CUDA(cudaConfigureCall(1, 2000));
  CHECK_ERROR(cudaLaunch(nothing), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunch(nothing), cudaErrorMissingConfiguration);
  CHECK_CUDA(cudaFree(out));
  return check_report();
}

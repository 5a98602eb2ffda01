// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpyToSymbol, cudaMemcpyFromSymbol: a part of a variable; what is no part of it.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-04
#include "check.h"

#include <stdint.h>

__device__ int variable[4];
__constant__ int constant[2] = {30, 40};
__managed__ int shared_by_both = 11;

int main() {
  int value[4] = {5, 6, 7, 8};
  CHECK_CUDA(cudaMemcpyToSymbol(variable, value, sizeof value));
  CHECK_CUDA(cudaMemcpyToSymbol(constant, value, 4, 4));
  int back[4] = {};
  CHECK_CUDA(cudaMemcpyFromSymbol(back, variable, 8, 8));
  CHECK_EQ(back[0], 7);
  CHECK_EQ(back[1], 8);
  CHECK_CUDA(cudaMemcpyFromSymbol(back, constant, 8));
  CHECK_EQ(back[0], 30);
  CHECK_EQ(back[1], 5);
  CHECK_CUDA(cudaMemcpyFromSymbol(back, shared_by_both, 4));
  CHECK_EQ(back[0], 11);
  CHECK_CUDA(cudaMemcpyToSymbol(shared_by_both, value, 4));
  CHECK_EQ(shared_by_both, 5);

  int host = 0;
  CHECK_ERROR(cudaMemcpyToSymbol(host, value, 4), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaMemcpyFromSymbol(back, host, 4), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, value, 20), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, value, 4, 16), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, value, 4, SIZE_MAX), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, value, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpyFromSymbol(back, variable, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, nullptr, 4), cudaErrorInvalidValue);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs from before CUDA 5 name a symbol by a string.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__constant__ int table[4];
__device__ float factor;
__global__ void use(float *out) { *out = table[2] * factor; }

int main() {
  const int values[4] = {1, 2, 3, 4};
  const float half = 0.5f;
  float *d, host = 0;
  REQUIRE_CUDA(cudaMalloc(&d, 4));
  CHECK_CUDA(cudaMemcpyToSymbol("table", values, sizeof(values)));
  CHECK_CUDA(cudaMemcpyToSymbol("factor", &half, sizeof(half)));
  use<<<1, 1>>>(d);
  CHECK_CUDA(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 1.5f);
  size_t bytes = 0;
  CHECK_CUDA(cudaGetSymbolSize(&bytes, "table"));
  CHECK_EQ(bytes, 16u);
  CHECK_ERROR(cudaMemcpyToSymbol("no_such_name", values, 4), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaMemcpyToSymbol("table ", values, 4), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaGetSymbolSize(&bytes, (const void *)8), cudaErrorInvalidSymbol);
  return check_report();
}

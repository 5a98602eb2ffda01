// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant memory: coefficients that all threads read, set from the host before each launch.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.3.3.5-01
#include "check.h"

__constant__ float coefficients[4];
__constant__ struct {
  int offset;
  double scale;
} setting = {5, 0.5};

__global__ void polynomial(double *out) {
  float x = threadIdx.x;
  float value = 0;
  for (int i = 3; i >= 0; --i) {
    value = value * x + coefficients[i];
  }
  out[threadIdx.x] = (value + setting.offset) * setting.scale;
}

int main() {
  double *out = nullptr;
  CHECK_CUDA(cudaMallocManaged(&out, 32 * sizeof(double)));
  for (int round = 1; round <= 3; ++round) {
    float host[4] = {1.0f * round, 2, 3, 1};
    CHECK_CUDA(cudaMemcpyToSymbol(coefficients, host, sizeof host));
    polynomial<<<1, 32>>>(out);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 32; ++i) {
      CHECK_EQ(out[i], (round + 2.0 * i + 3.0 * i * i + 1.0 * i * i * i + 5) * 0.5);
    }
  }
  float two = 20;
  CHECK_CUDA(cudaMemcpyToSymbol(coefficients, &two, sizeof two, sizeof(float)));
  float back[4] = {};
  CHECK_CUDA(cudaMemcpyFromSymbol(back, coefficients, sizeof back));
  CHECK_EQ(back[0], 3.0f);
  CHECK_EQ(back[1], 20.0f);
  cudaDeviceProp properties{};
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK_EQ(properties.totalConstMem, (size_t)65536);
  size_t size = 0;
  CHECK_CUDA(cudaGetSymbolSize(&size, coefficients));
  CHECK_EQ(size, sizeof back);
  CHECK_ERROR(cudaMemcpyToSymbol(coefficients, back, sizeof back, 4), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFree(out));
  return check_report();
}

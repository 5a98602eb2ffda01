// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "separable": prints "separable: right".
#include <cstdio>

#include "ops.h"

__global__ void run(int *out) { *out = shifted(2); }

int main() {
  int *out = nullptr;
  int result = 0, fifty = 50;
  cudaMalloc((void **)&out, sizeof(int));
  run<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  int first = result;
  cudaMemcpyToSymbol(offset, &fifty, sizeof(int));
  run<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  int side = side_sum(10);
  if (first != 42 || result != 52 || side != 45) {
    std::printf("separable: %d, %d and %d (%s)\n", first, result, side, cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  std::printf("separable: right\n");
  return 0;
}

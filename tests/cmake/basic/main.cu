// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "basic": prints "basic: right" when the scaled values are.
#include <cstdio>
#include <vector>

#include "scale.h"

int main() {
  const int n = 1000;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) {
    values[i] = i;
  }
  int *device = nullptr;
  if (cudaMalloc(&device, n * sizeof(int)) != cudaSuccess) {
    return 1;
  }
  cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scale(device, n);
  cudaMemcpy(values.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < n; ++i) {
    if (values[i] != FACTOR * i) {
      std::printf("basic: element %d is %d\n", i, values[i]);
      return 1;
    }
  }
  std::printf("basic: right\n");
  return cudaGetLastError();
}

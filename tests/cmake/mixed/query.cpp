// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "mixed": both APIs from plain C++; prints "query: right".
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdio>

int main() {
  int by_runtime = 0, by_driver = -1;
  if (cudaGetDeviceCount(&by_runtime) != cudaSuccess || cuInit(0) != CUDA_SUCCESS ||
      cuDeviceGetCount(&by_driver) != CUDA_SUCCESS || by_runtime != by_driver) {
    std::printf("query: %d and %d devices\n", by_runtime, by_driver);
    return 1;
  }
  std::printf("query: right\n");
  return 0;
}

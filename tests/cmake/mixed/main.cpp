// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "mixed": a C++ main over kernels in a library; prints "mixed: right".
#include <cuda_runtime_api.h>

#include <cstdio>

extern "C" int squares(int *host, int n);

int main() {
  int values[20];
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1 || squares(values, 20) != 0) {
    return 1;
  }
  for (int i = 0; i < 20; ++i) {
    if (values[i] != i * i) {
      std::printf("mixed: element %d is %d\n", i, values[i]);
      return 1;
    }
  }
  std::printf("mixed: right\n");
  return 0;
}

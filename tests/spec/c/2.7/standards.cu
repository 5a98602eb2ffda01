// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The language standard chosen by -std holds on both sides.
// RUN: %mcc -std=c++11 -DWANTED=201103L %s -o %t && %run %t
// RUN: %mcc --std=c++14 -DWANTED=201402L %s -o %t && %run %t
// RUN: %mcc -std c++17 -DWANTED=201703L %s -o %t && %run %t
// RUN: %mcc -DWANTED=201703L %s -o %t && %run %t
// RUN: %mcc --std c++20 -DWANTED=202002L %s -o %t && %run %t
// RUN: %mcc -std=c++23 -DWANTED=202302L %s -o %t && %run %t
// RUN: not %mcc -std=c++12 -DWANTED=0 %s -o %t 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: c++12
// covers: C-2.7.4-01 C-5.3-01
#include <cstdio>

__global__ void standard(long *out) { *out = __cplusplus; }

int main() {
  long *device = nullptr, value = 0;
  cudaMalloc((void **)&device, sizeof(long));
  standard<<<1, 1>>>(device);
  cudaMemcpy(&value, device, sizeof(long), cudaMemcpyDeviceToHost);
  if (value != WANTED || __cplusplus != WANTED) {
    std::printf("device %ld, host %ld, not %ld\n", value, __cplusplus, WANTED);
    return 1;
  }
  return 0;
}

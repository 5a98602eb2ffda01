// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels launched by lambdas of host code, in whole and in relocatable programs.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %mcc -std=c++17 -rdc=true %s -o %t && %run %t
#include "check.h"

__global__ void add(int *sum, int n) { *sum += n; }

template <typename Function> void call(Function function) { function(); }

int main() {
  int *sum;
  CHECK_CUDA(cudaMallocManaged(&sum, sizeof *sum));
  *sum = 0;
  auto once = [&] { add<<<1, 1>>>(sum, 1); };
  once();
  call([=] { add<<<1, 1>>>(sum, 20); });
  call([=] { call([=] { add<<<dim3(1), dim3(1), 0, nullptr>>>(sum, 300); }); });
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*sum, 321);
  return check_report();
}

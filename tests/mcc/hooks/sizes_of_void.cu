// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sizeof(void) and sizeof of a function are 1, as for g++ and nvcc.
// RUN: %mcc %s -o %t && %run %t
// RUN: %if nvcc %{ %nvcc -I%source/tests/support -arch=sm_90 -c %s -o %t.o %}
#include "check.h"

int function(int);
static_assert(sizeof(void) == 1 && sizeof(function) == 1 && sizeof(const void) == 1 && sizeof(int) == 4);

__global__ void kernel(int *out) { *out = 3 * sizeof(void) + sizeof(*out); }

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 16 * sizeof(void)));
  kernel<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*out, 7);
  return check_report();
}

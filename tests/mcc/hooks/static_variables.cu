// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separate compilation: a static device variable that a kernel uses before the host does.
// RUN: %mcc -rdc=true -simt-ir %s -o - | %FileCheck %s
// RUN: %mcc -rdc=true %s -o %t && %run %t
// covers: C-2.7.3-04
#include "check.h"

static __device__ int counter = 4;
namespace {
__device__ int hidden = 5;
}
__global__ void use(int *out) { *out = counter + hidden; }
// CHECK-NOT: @_ZL7counter = external
// CHECK: @_ZL7counter__static__[[ID:[0-9a-f]+]] = {{.*}}global i32 4

int main() {
  int value = 7;
  CHECK_CUDA(cudaMemcpyToSymbol(counter, &value, sizeof value));
  CHECK_CUDA(cudaMemcpyToSymbol(hidden, &value, sizeof value));
  int *out = nullptr;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  use<<<1, 1>>>(out);
  CHECK_CUDA(cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(value == 14);
  return check_report();
}

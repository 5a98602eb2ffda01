// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects with static storage use the API before main and after it; kernels still run when the program ends.
// RUN: %mcc %s -o %t && %run %t | %FileCheck %s
// CHECK: before main: 42
// CHECK: main
// CHECK: after main: cudaSuccess
#include "check.h"

__managed__ int value;
__global__ void set(int to) { value = to; }
__global__ void spin(long long turns) {
  for (volatile long long i = 0; i < turns; i = i + 1) {
  }
}

struct Global {
  int *memory = nullptr;
  Global() {
    set<<<1, 1>>>(42);
    cudaDeviceSynchronize();
    printf("before main: %d\n", value);
    cudaMalloc(&memory, 64);
  }
  ~Global() { printf("after main: %s\n", cudaGetErrorName(cudaFree(memory))); }
};
static Global global;

int main() {
  printf("main\n");
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  spin<<<1, 1, 0, stream>>>(1000);
  return check::failures();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The null driver keeps the order of streams and shows it; it runs no kernel.
// RUN: %mcc %s -o %t && env HELICON_DRIVERS=null HELICON_LOG=stream %run %t 2>&1 | %FileCheck %s
#include "check.h"

__global__ void first(int *p) { *p = 1; }
__global__ void second(int *p) { *p = 2; }
__global__ void third(int *p) { *p = 3; }

int main() {
  int *p = nullptr;
  cudaStream_t a, b;
  CHECK_CUDA(cudaMalloc(&p, sizeof(int)));
  CHECK_CUDA(cudaStreamCreate(&a));
  CHECK_CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  // CHECK: queued stream 1: kernel _Z5firstPi grid=(1,1,1) block=(2,1,1) shared=0
  first<<<1, 2, 0, a>>>(p);
  // CHECK: queued stream 2: kernel _Z6secondPi grid=(3,1,1) block=(4,1,1) shared=16
  second<<<3, 4, 16, b>>>(p);
  // CHECK: queued legacy: kernel _Z5thirdPi
  third<<<1, 1>>>(p);
  // Waiting for the legacy stream makes happen what is before it, and nothing else.
  // CHECK: done stream 1: kernel _Z5firstPi
  // CHECK-NEXT: done legacy: kernel _Z5thirdPi
  CHECK_CUDA(cudaStreamSynchronize(nullptr));
  // CHECK: done stream 2: kernel _Z6secondPi
  CHECK_CUDA(cudaDeviceSynchronize());
  int value = 7;
  CHECK_CUDA(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 0);
  // CHECK: passed
  return check_report();
}

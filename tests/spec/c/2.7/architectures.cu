// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Architecture options: each spelling is taken, the macro follows it, and the program runs.
// RUN: %mcc -arch=sm_70 -DWANTED=700 %s -o %t && %run %t
// RUN: %mcc -arch sm_80 -DWANTED=800 %s -o %t && %run %t
// RUN: %mcc --gpu-architecture=compute_75 -DWANTED=750 %s -o %t && %run %t
// RUN: %mcc -gencode=arch=compute_90,code=sm_90 -DWANTED=900 %s -o %t && %run %t
// RUN: %mcc -gencode arch=compute_80,code=[sm_80,compute_80] -DWANTED=800 %s -o %t && %run %t
// RUN: %mcc --generate-code=arch=compute_70,code=[compute_70,sm_70] --generate-code=arch=compute_90,code=[compute_90,sm_90] -DWANTED=0 %s -o %t && %run %t
// RUN: %mcc -arch=native -DWANTED=0 %s -o %t && %run %t
// RUN: %mcc -arch=all-major -DWANTED=0 %s -o %t && %run %t
// RUN: %mcc --list-gpu-arch | %FileCheck %s --check-prefix=LIST
// LIST: compute_90
// covers: C-2.7.3-02 C-5.4.7.1-01
#include "check.h"

__global__ void architecture(int *out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__;
#endif
}

int main() {
  int *out = nullptr;
  CHECK_CUDA(cudaMallocManaged(&out, sizeof(int)));
  architecture<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK(*out >= 500);
  if (WANTED != 0) {
    CHECK_EQ(*out, WANTED);
  }
  return check_report();
}

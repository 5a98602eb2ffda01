// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA_VISIBLE_DEVICES hides and reorders devices.
// RUN: %mcc %s -o %t
// RUN: env HELICON_CPU_DEVICES=3 CUDA_VISIBLE_DEVICES=2,0 %run %t | %FileCheck %s --check-prefix=TWO
// RUN: env HELICON_CPU_DEVICES=3 MUSA_VISIBLE_DEVICES=0,7,1 %run %t | %FileCheck %s --check-prefix=ONE
// RUN: env HELICON_CPU_DEVICES=3 CUDA_VISIBLE_DEVICES= %run %t | %FileCheck %s --check-prefix=NONE
// TWO: cudaSuccess 2
// TWO-NEXT: bus [[#SECOND:]]
// TWO-NEXT: bus [[#SECOND-2]]
// ONE: cudaSuccess 1
// NONE: cudaErrorNoDevice 0
// covers: C-5.2.1.1-01
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  int count = -1;
  cudaError_t error = cudaGetDeviceCount(&count);
  printf("%s %d\n", cudaGetErrorName(error), count);
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp prop{};
    CHECK_CUDA(cudaGetDeviceProperties(&prop, i));
    printf("bus %d\n", prop.pciBusID);
  }
  return check_report();
}

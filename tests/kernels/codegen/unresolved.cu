// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without relocatable device code an undefined device function is an error at compile time.
// covers: C-2.7.3-04
// RUN: not %mcc %s -o %t 2>&1 | %FileCheck %s
// CHECK: error: unresolved extern function 'elsewhere(int)' (in 'k(int*)')
#include <cuda_runtime.h>

extern __device__ int elsewhere(int);

__global__ void k(int *p) { *p = elsewhere(1); }

int main() { k<<<1, 1>>>(nullptr); }

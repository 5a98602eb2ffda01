// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole-program code that calls a device function of another file: refused by name, with the way out.
// RUN: not %mcc -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %mcc -dc %s -o %t.o
// covers: C-5.3.10.4-05
// CHECK: error: {{.*}}elsewhere
__device__ int elsewhere(int);
__global__ void kernel(int *out) { *out = elsewhere(1); }

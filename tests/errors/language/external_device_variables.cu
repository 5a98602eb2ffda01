// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole-program compilation has no device variables of other files.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// covers: C-5.3.10.4-05
extern __device__ int elsewhere;
__global__ void kernel(int *out) { *out = elsewhere; }
// CHECK: error: {{.*}}elsewhere

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in variables are not written, and have no address.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.2.2-01
__global__ void kernel(const void **out) {
// CHECK-DAG: built_in_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  threadIdx.x = 1;
// CHECK-DAG: built_in_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  warpSize = 1;
// CHECK-DAG: built_in_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  *out = &threadIdx;
}

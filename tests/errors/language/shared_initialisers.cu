// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared variables have no initialisers, also constant ones.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.11-02 C-5.4.1.2-01
__global__ void kernel() {
// CHECK-DAG: shared_initialisers.cu:[[@LINE+1]]:{{[0-9]+}}: error: initialization is not supported for __shared__ variables
  __shared__ int given = 2;
// CHECK-DAG: shared_initialisers.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  constexpr __shared__ int known = 3;
}

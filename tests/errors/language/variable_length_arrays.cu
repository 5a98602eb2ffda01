// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of device code have constant sizes.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.1-01
__device__ int sum(int n) {
// CHECK-DAG: variable_length_arrays.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  int a[n];
  return a[0];
}

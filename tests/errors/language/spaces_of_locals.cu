// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local variables of host functions and automatic variables of device functions have no memory space.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.4-01
void host() {
// CHECK-DAG: spaces_of_locals.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}not allowed on non-static local variables
  __device__ int a;
}
void host_constant() {
// CHECK-DAG: spaces_of_locals.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}not allowed on non-static local variables
  __constant__ int a;
}
void host_managed() {
// CHECK-DAG: spaces_of_locals.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}not allowed on non-static local variables
  __managed__ int a;
}
__device__ void device() {
// CHECK-DAG: spaces_of_locals.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}not allowed on non-static local variables
  __device__ int a;
}

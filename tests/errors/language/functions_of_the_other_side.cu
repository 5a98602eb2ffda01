// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of functions and variables mean something in their own execution space only.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.3-01 C-5.4.1.1-01
int on_host(int x) { return x; }
int host_variable;
typedef int (*Function)(int);
__global__ void kernel(Function *out) {
// CHECK-DAG: functions_of_the_other_side.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  *out = on_host;
// CHECK-DAG: functions_of_the_other_side.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  host_variable = 3;
}
__device__ int on_device() { return 1; }
// CHECK-DAG: functions_of_the_other_side.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
int host() { return on_device() + atomicAdd(&host_variable, 1); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grid-constant parameters are constant objects of kernels.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.1.5-01
// CHECK-DAG: reference_to_grid_constant.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
__global__ void changeable(__grid_constant__ int x) {}
__global__ void written(const __grid_constant__ int x) {
// CHECK-DAG: reference_to_grid_constant.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  x = 3;
}

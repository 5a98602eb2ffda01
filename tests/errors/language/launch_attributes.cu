// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of launches belong to kernels, and exclude each other.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.3.2-01 C-5.4.3.3-01 C-5.4.3.1-01
// CHECK-DAG: launch_attributes.cu:[[@LINE+1]]:{{[0-9]+}}: error: __launch_bounds__ and __maxnreg__ cannot be applied to the same kernel
__global__ void __launch_bounds__(64) __maxnreg__(32) both() {}
// CHECK-DAG: launch_attributes.cu:[[@LINE+1]]:{{[0-9]+}}: error: __launch_bounds__ is only allowed on a __global__ function
__device__ void __launch_bounds__(64) bounds() {}
// CHECK-DAG: launch_attributes.cu:[[@LINE+1]]:{{[0-9]+}}: error: __maxnreg__ is only allowed on a __global__ function
__device__ void __maxnreg__(32) registers() {}
// CHECK-DAG: launch_attributes.cu:[[@LINE+1]]:{{[0-9]+}}: error: the attributes of launches are only allowed on a __global__ function
__device__ void __cluster_dims__(2, 1, 1) cluster() {}
__global__ void __launch_bounds__(64, 2) right() {}
__global__ void __maxnreg__(32) right_too() {}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels are free functions without ellipsis that return nothing.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.6-01 C-5.3.10.5-03
#include <initializer_list>
struct Class {
// CHECK-DAG: kernel_forms.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  __global__ void member() {}
// CHECK-DAG: kernel_forms.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function cannot be a member function
  static __global__ void fixed() {}
};
// CHECK-DAG: kernel_forms.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function cannot have an ellipsis
__global__ void ellipsis(int n, ...) {}
// CHECK-DAG: kernel_forms.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function must not have a deduced return type
__global__ auto deduced() {}
// CHECK-DAG: kernel_forms.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function cannot have a parameter of type std::initializer_list
__global__ void list(std::initializer_list<int> l) {}
// CHECK-DAG: kernel_forms.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function cannot have a parameter of type std::initializer_list
template <typename T> __global__ void list_of(std::initializer_list<T> l) {}

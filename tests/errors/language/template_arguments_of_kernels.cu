// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that have no name outside of a host function or class are no template arguments of kernels and device variables.
// RUN: not %mcc -std=c++17 --extended-lambda -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 --extended-lambda -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.7-01
template <typename T> __global__ void kernel(T value) {}
template <typename T> __global__ void named() {}
template <typename T> struct Of {};
template <typename T> __device__ T variable;
struct {
  int x;
} unnamed;
enum { kUnnamed };
class Class {
  struct Hidden {};

public:
  static void launch();
};

void launch() {
  struct Local {
    int x;
  };
// CHECK-DAG: template_arguments_of_kernels.cu:[[@LINE+1]]:{{[0-9]+}}: error: a type that is local to a host function cannot be a template argument of a __global__ function
  kernel<<<1, 1>>>(Local());
// CHECK-DAG: template_arguments_of_kernels.cu:[[@LINE+1]]:{{[0-9]+}}: error: a type that is local to a host function cannot be a template argument of a __global__ function
  named<Of<Local *>><<<1, 1>>>();
// CHECK-DAG: template_arguments_of_kernels.cu:[[@LINE+1]]:{{[0-9]+}}: error: an unnamed type cannot be a template argument of a __global__ function
  kernel<<<1, 1>>>(unnamed);
// CHECK-DAG: template_arguments_of_kernels.cu:[[@LINE+1]]:{{[0-9]+}}: error: an unnamed type cannot be a template argument of a __global__ function
  kernel<<<1, 1>>>(kUnnamed);
// CHECK-DAG: template_arguments_of_kernels.cu:[[@LINE+1]]:{{[0-9]+}}: error: the closure type of a host lambda cannot be a template argument of a __global__ function
  kernel<<<1, 1>>>([] {});
  void *address;
// CHECK-DAG: template_arguments_of_kernels.cu:[[@LINE+1]]:{{[0-9]+}}: error: a type that is local to a host function cannot be a template argument of a device variable
  cudaGetSymbolAddress(&address, variable<Local>);
}
void Class::launch() {
// CHECK-DAG: template_arguments_of_kernels.cu:[[@LINE+1]]:{{[0-9]+}}: error: a private or protected member type cannot be a template argument of a __global__ function
  named<Hidden><<<1, 1>>>();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specifiers and parameters that kernels and their templates cannot have.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.11-03 C-5.4.1.1-01
// CHECK-DAG: kernel_templates.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function cannot be constexpr
__global__ constexpr void constant() {}
// CHECK-DAG: kernel_templates.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function cannot have an exception specification
__global__ void quiet() noexcept {}
// CHECK-DAG: kernel_templates.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function cannot have a parameter that is an rvalue reference
__global__ void moved(int &&x) {}
// CHECK-DAG: kernel_templates.cu:[[@LINE+1]]:{{[0-9]+}}: error: the parameter pack of a __global__ function template must come last
template <typename... A, typename B> __global__ void first(B b, A... a) {}
// CHECK-DAG: kernel_templates.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __global__ function template cannot have several parameter packs
template <typename... A, typename... B> __global__ void two(void (*)(A...), B... b) {}
template <int N, typename... A> __global__ void fine(A... a) {}

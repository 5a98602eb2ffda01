// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structured bindings have no memory space.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.13-01
struct Pair {
  int a, b;
};
// CHECK-DAG: structured_bindings.cu:[[@LINE+1]]:{{[0-9]+}}: error: a structured binding cannot have a memory space
__device__ auto [a, b] = Pair{1, 2};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed variables are not constant.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.1.2-02 C-5.3.11-02
// CHECK-DAG: managed_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __managed__ variable cannot be const
const __managed__ int constant = 3;
// CHECK-DAG: managed_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __managed__ variable cannot be constexpr
constexpr __managed__ int known = 3;

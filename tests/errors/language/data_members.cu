// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Data members have no memory space: an error where they are static, a warning and no effect where they are not.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.6-01 C-5.3.10.4-01
struct Plain {
// CHECK-DAG: data_members.cu:[[@LINE+1]]:{{[0-9]+}}: warning: {{.*}}attribute only applies to functions and variables
  __device__ int member;
};
struct Static {
// CHECK-DAG: data_members.cu:[[@LINE+1]]:{{[0-9]+}}: error: a data member cannot have a memory space
  static __device__ int member;
};

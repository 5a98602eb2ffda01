// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code has no exceptions.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.1-01
__device__ void thrower() {
// CHECK-DAG: exceptions.cu:[[@LINE+1]]:{{[0-9]+}}: error: cannot use 'throw' in __device__ function
  throw 1;
}
__device__ void catcher() {
// CHECK-DAG: exceptions.cu:[[@LINE+1]]:{{[0-9]+}}: error: cannot use 'try' in __device__ function
  try {
  } catch (...) {
  }
}

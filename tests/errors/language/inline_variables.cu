// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline variables of the device need internal linkage when a file is compiled on its own.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.13-01
// CHECK-DAG: inline_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: an inline variable of the device needs internal linkage, or -rdc=true
inline __device__ int device = 3;
// CHECK-DAG: inline_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: an inline variable of the device needs internal linkage, or -rdc=true
inline __managed__ int managed = 3;
static inline __device__ int own = 3;
__device__ int use() { return own; }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of the device belong to no thread of the host.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.1-01
// CHECK-DAG: thread_local_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: thread-local storage is not supported for the current target
__device__ thread_local int device;
// CHECK-DAG: thread_local_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: thread-local storage is not supported for the current target
__managed__ thread_local int managed;

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main belongs to the host.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.1.1-01
// CHECK-DAG: main_on_device.cu:[[@LINE+1]]:{{[0-9]+}}: error: main cannot be a __device__ function
__device__ int main() { return 0; }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel does not call itself.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.5-01
__global__ void again(int n) {
// CHECK-DAG: recursive_kernel.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  if (n != 0) again(n - 1);
}

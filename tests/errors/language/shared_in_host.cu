// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared variables belong to device code.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.4-01
void host() {
// CHECK-DAG: shared_in_host.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  __shared__ int a;
}

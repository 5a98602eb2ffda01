// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static variable of a device function has a constant initialiser.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.4-04
__device__ int number() { return 3; }
__device__ int keep() {
// CHECK-DAG: static_in_device.cu:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}
  static int kept = number();
  return kept;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code cannot take the address of a label.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.1-01
__global__ void kernel(int *out) {
// CHECK: label_addresses.cu:[[@LINE+1]]:{{[0-9]+}}: error: the address of a label cannot be taken in device code
  void *next = &&end;
  goto *next;
end:
  *out = 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code does not write to constant memory.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.4.1.2-01
struct Pair {
  int first, second[2];
};
__constant__ int one;
__constant__ Pair pair;
__global__ void kernel(int i) {
// CHECK-DAG: writes_to_constants.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __constant__ variable cannot be written by device code
  one = 3;
// CHECK-DAG: writes_to_constants.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __constant__ variable cannot be written by device code
  one += 3;
// CHECK-DAG: writes_to_constants.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __constant__ variable cannot be written by device code
  ++one;
// CHECK-DAG: writes_to_constants.cu:[[@LINE+1]]:{{[0-9]+}}: error: a __constant__ variable cannot be written by device code
  pair.second[i]--;
  int local = one;
  local = pair.second[i] + local;
}

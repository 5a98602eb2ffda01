// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel has at most 32,764 bytes of parameters.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.5-03
struct Whole {
  char bytes[32764];
};
struct Excess {
  char bytes[32765];
};
__global__ void fits(Whole) {}
template <typename T> __global__ void any(T) {}
void use() { any<<<1, 1>>>(Excess()); }
// CHECK-NOT: fits
// CHECK: error: kernel '{{.*}}any{{.*}}' has 32765 bytes of parameters; the limit is 32764

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code has no type identification at run time.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.1-01
struct Base {
  __device__ virtual int f() { return 1; }
};
struct Derived : Base {};
__global__ void kernel(Base *base, Derived **out) {
  *out = dynamic_cast<Derived *>(base);
}
// CHECK: error: {{.*}}'__dynamic_cast'

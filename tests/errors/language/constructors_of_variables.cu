// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device, constant and managed variables have empty constructors and destructors or constant initialisers.
// RUN: not %mcc -std=c++17 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %if nvcc %{ not %nvcc -std=c++17 -arch=sm_90 -c %s -o %t.o %}
// covers: C-5.3.10.6-01
struct Made {
  int value;
  __host__ __device__ Made() : value(1) {}
};
struct Ended {
  __host__ __device__ ~Ended() { printf("end"); }
};
int number();
// CHECK-DAG: constructors_of_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
__device__ Made device;
// CHECK-DAG: constructors_of_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
__constant__ Made constant;
// CHECK-DAG: constructors_of_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
__managed__ Made managed;
// CHECK-DAG: constructors_of_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: dynamic initialization is not supported
__device__ Ended ended;
// CHECK-DAG: constructors_of_variables.cu:[[@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'number'
__device__ int called = number();
struct Known {
  int value;
  constexpr Known(int v) : value(v) {}
};
__device__ Known known(4);

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions, variables, virtual functions and kernels of another file, by each way of separate compilation.
// RUN: %mcc -rdc=true %s %S/Inputs/library.cu -o %t && %run %t
// RUN: %mcc -dc %s -o %t.1.o && %mcc -dc %S/Inputs/library.cu -o %t.2.o && %mcc %t.1.o %t.2.o -o %t.two && %run %t.two
// RUN: %mcc -rdc=true -c %s -o %t.1.o && %mcc -rdc=true -dlink %t.1.o %t.2.o -o %t.d.o
// RUN: g++ %t.1.o %t.2.o %t.d.o -L%toolkit/lib64 -Wl,-rpath,%toolkit/lib64 -lcudadevrt -lcudart -o %t.host && %run %t.host
// RUN: rm -f %t.a && %mcc -lib %t.2.o -o %t.a && %mcc -rdc=true %t.1.o %t.a -o %t.archive && %run %t.archive
// RUN: not %mcc -rdc=true %s -o %t.missing 2>&1 | %FileCheck %s
// CHECK: error: {{.*}}times_three
// covers: C-2.7.3-04 C-5.3.10.4-05
#include "check.h"

extern __device__ int calls;
extern __constant__ int scale;
__device__ int times_three(int x);
__global__ void elsewhere(int *out);
struct Shape {
  __device__ virtual int area() const;
  int side;
};
struct Cube : Shape {
  __device__ int area() const override { return 6 * Shape::area(); }
};

__global__ void here(int *out) {
  out[0] = times_three(14);
  out[1] = scale;
  Cube cube;
  cube.side = 5;
  const Shape &shape = cube;
  out[2] = shape.area();
}

int main() {
  int *out = nullptr, host = 0;
  CHECK_CUDA(cudaMallocManaged(&out, 4 * sizeof(int)));
  here<<<1, 1>>>(out);
  elsewhere<<<1, 1>>>(out + 3);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 42);
  CHECK_EQ(out[1], 3);
  CHECK_EQ(out[2], 150);
  CHECK_EQ(out[3], 300);
  CHECK_CUDA(cudaMemcpyFromSymbol(&host, calls, sizeof host));
  CHECK_EQ(host, 2);
  int four = 4;
  CHECK_CUDA(cudaMemcpyToSymbol(scale, &four, sizeof four));
  here<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 56);
  return check_report();
}

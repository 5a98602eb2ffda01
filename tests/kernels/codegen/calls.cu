// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Function pointers, virtual functions, recursion, device new and delete.
// covers: C-2.1.8-01 M-3.2.13-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__device__ int add_one(int x) { return x + 1; }
__device__ int twice(int x) { return x * 2; }
typedef int (*Function)(int);
__device__ Function table[2] = {add_one, twice};

struct Shape {
  __device__ virtual int value(int x) const = 0;
  __device__ virtual ~Shape() {}
};
struct Plus : Shape {
  __device__ int value(int x) const override { return x + 10; }
};
struct Times : Shape {
  int k;
  __device__ explicit Times(int k) : k(k) {}
  __device__ int value(int x) const override { return x * k; }
};

__global__ void indirect(int *out) {
  int i = threadIdx.x;
  out[i] = table[i & 1](i);
  Shape *shape = (i & 1) ? (Shape *)new Plus : (Shape *)new Times(3);
  out[32 + i] = shape->value(i);
  delete shape;
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive(int *out) { out[threadIdx.x] = fibonacci(threadIdx.x % 16); }

int main() {
  int *out;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  indirect<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(out[i], (i & 1) ? i * 2 : i + 1);
    CHECK_EQ(out[32 + i], (i & 1) ? i + 10 : i * 3);
  }
  recursive<<<1, 64>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[15], 610);
  CHECK_EQ(out[47], 610);
  return check_report();
}

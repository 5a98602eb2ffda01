// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other file of separate_compilation.cu.
__device__ int calls = 0;
__constant__ int scale = 3;
__device__ int times_three(int x) {
  atomicAdd(&calls, 1);
  return scale * x;
}

struct Shape {
  __device__ virtual int area() const;
  int side;
};
__device__ int Shape::area() const { return side * side; }

__global__ void elsewhere(int *out) { *out = times_three(100); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA source that is compiled as MUSA code, its names mapped.
#ifndef __MUSA__
#error "this is MUSA code"
#endif
#define cudaMallocManaged musaMallocManaged
#define cudaDeviceSynchronize musaDeviceSynchronize

#include <cstdio>

__global__ void set(int *p, int value) { *p = value; }

int main() {
  int *p = nullptr;
  cudaMallocManaged(&p, sizeof(int));
  set<<<1, 1>>>(p, 42);
  cudaDeviceSynchronize();
  printf("result %d\n", *p);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel and a main function that launches it.
#include <cstdio>

__global__ void set(int *p, int value) { *p = value; }

int main() {
  int *p = nullptr;
  int result = 0;
  cudaMalloc(&p, sizeof(int));
  set<<<1, 1>>>(p, 42);
  cudaMemcpy(&result, p, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(p);
  printf("result %d\n", result);
  return result == 42 ? 0 : 1;
}

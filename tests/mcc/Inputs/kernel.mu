// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The MUSA twin of kernel.cu.
#include <cstdio>

__global__ void set(int *p, int value) { *p = value; }

int main() {
  int *p = nullptr;
  int result = 0;
  musaMalloc(&p, sizeof(int));
  set<<<1, 1>>>(p, 42);
  musaMemcpy(&result, p, sizeof(int), musaMemcpyDeviceToHost);
  musaFree(p);
  printf("result %d\n", result);
  return result == 42 ? 0 : 1;
}

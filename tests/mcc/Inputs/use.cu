// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Separate compilation: device symbols of define.cu.
#include <cstdio>

extern __device__ int shared_counter;
__device__ int next_value(int x);

__global__ void call(int *out) {
  shared_counter = 7;
  *out = next_value(10);
}

int main() {
  int *out = nullptr;
  int result = 0;
  cudaMalloc(&out, sizeof(int));
  call<<<1, 1>>>(out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("result %d\n", result);
  return result == 17 ? 0 : 1;
}

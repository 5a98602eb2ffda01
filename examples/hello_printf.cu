// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints from the device, and shows which threads and warps there are.
#include <cstdio>

__global__ void hello() {
  if (threadIdx.x % warpSize == 0) {
    printf("block %d, warp %d of %d: hello\n", blockIdx.x, threadIdx.x / warpSize, blockDim.x / warpSize);
  }
}

int main() {
  hello<<<2, 96>>>();
  cudaError_t error = cudaDeviceSynchronize();
  std::printf("hello_printf: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of the CMake test project "mixed".
__global__ void square(int *values) { values[threadIdx.x] = threadIdx.x * threadIdx.x; }

extern "C" int squares(int *host, int n) {
  int *device = nullptr;
  cudaMalloc((void **)&device, n * sizeof(int));
  square<<<1, n>>>(device);
  cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return cudaGetLastError();
}

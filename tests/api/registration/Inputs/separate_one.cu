// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half of a plugin; the other half has the device function.
extern __device__ int twice(int x);
__device__ int base = 5;
__managed__ int calls;
__global__ void compute(int *p) {
  *p = twice(*p) + base;
  ++calls;
}

extern "C" int plugin_run(int x) {
  int *p = nullptr;
  if (cudaMallocManaged(&p, sizeof(int)) != cudaSuccess) {
    return -1;
  }
  *p = x;
  compute<<<1, 1>>>(p);
  cudaError_t error = cudaDeviceSynchronize();
  int result = error == cudaSuccess && calls == 1 ? *p : -static_cast<int>(error) - 2;
  cudaFree(p);
  return result;
}

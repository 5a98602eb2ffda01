// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with something to ask about: parameters of several sizes, bounds, shared memory, variables.
extern "C" {
__device__ int counter = 3;
__managed__ int shared_by_all = 4;
__global__ void scale(int *out, char by, double offset) { *out = static_cast<int>(*out * by + offset); }
__global__ void __launch_bounds__(64) narrow(int *out) { atomicAdd(out, 1); }
__global__ void with_shared(int *out) {
  __shared__ int cells[256];
  extern __shared__ int more[];
  cells[threadIdx.x] = more[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = cells[threadIdx.x ^ 1] + more[threadIdx.x];
}
}

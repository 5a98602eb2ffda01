// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One half of a program that is linked at run time: the kernel.
extern __device__ int twice(int x);
extern __device__ int base;

extern "C" __global__ void fill(int *out) { out[threadIdx.x] = base + twice(threadIdx.x); }

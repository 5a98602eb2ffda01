// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that counts its calls, for each device and for all.
extern "C" {
__device__ int calls;
__managed__ int total;
__global__ void count_up(int *out) {
  *out = ++calls;
  ++total;
}
}

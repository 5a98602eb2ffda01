// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the host, and of both sides, may name threadIdx and its kin as long as the host does not run them;
// programs were refused with "reference to __device__ function".
// RUN: %mcc %s -o %t && %run %t
// covers: C-5.4.2.2-01
#include "check.h"

inline __host__ __device__ int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }
template <typename T> __host__ __device__ T stride() {
#ifdef __CUDA_ARCH__
  return gridDim.x * blockDim.x;
#else
  return 1;
#endif
}
static inline dim3 never_called() { return threadIdx; }

__global__ void kernel(int *out, int n) {
  for (int i = global_index(); i < n; i += stride<int>()) {
    out[i] = i * 3;
  }
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 500 * sizeof(int)));
  kernel<<<2, 64>>>(out, 500);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 500; ++i) {
    CHECK_EQ(out[i], i * 3);
  }
  CHECK_EQ(stride<int>(), 1);
  return check_report();
}

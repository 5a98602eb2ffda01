// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that looks a few elements past the end of an array that fills its pages, and does not use what it sees, runs on
// a GPU: memory is mapped there in larger pieces.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__global__ void differences(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float next = in[i + 16];
  out[i] = i + 16 < n ? next - in[i] : 0.0f;
}

int main() {
  for (size_t bytes : {size_t{64} << 10, size_t{1} << 20, size_t{2} << 20, size_t{6} << 20}) {
    const int n = static_cast<int>(bytes / sizeof(float));
    float *in, *out;
    CHECK_EQ(cudaMalloc(&in, bytes), cudaSuccess);
    CHECK_EQ(cudaMallocManaged(&out, bytes), cudaSuccess);
    CHECK_EQ(cudaMemset(in, 0, bytes), cudaSuccess);
    differences<<<n / 256, 256>>>(in, out, n);
    CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
    CHECK_EQ(out[n - 1], 0.0f);
    CHECK_EQ(cudaFree(in), cudaSuccess);
    CHECK_EQ(cudaFree(out), cudaSuccess);
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program of its time defines lerp(float, float, float) itself; C++20's std::lerp is not in its way.
// RUN: %mcc -std=c++20 %s -o %t && %run %t
// covers: C-5.3.4-01
#include <cstdio>

inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }

__global__ void run(float *out) { *out = lerp(1.0f, 3.0f, 0.25f); }

int main() {
  float *out;
  if (cudaMallocManaged(&out, sizeof(float)) != cudaSuccess) return 1;
  run<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess || *out != 1.5f || lerp(1.0f, 3.0f, 0.25f) != 1.5f) {
    printf("got %g\n", *out);
    return 1;
  }
  return 0;
}

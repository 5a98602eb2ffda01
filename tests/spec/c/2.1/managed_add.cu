// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program on managed memory: host and device use the same pointers, with a wait in between.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.3-01 C-2.1.4-01 C-2.1.5-01 C-1.2.3-04 C-2.1.1-01
#include "check.h"

__managed__ float total[4];

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

__global__ void sums(const float *c, int n) {
  for (int i = threadIdx.x; i < n; i += 4) {
    total[threadIdx.x] += c[i];
  }
}

int main() {
  const int n = 2049;
  float *a = nullptr, *b = nullptr, *c = nullptr;
  CHECK_CUDA(cudaMallocManaged(&a, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&b, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&c, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    a[i] = i % 17;
    b[i] = i % 23;
  }
  for (int k = 0; k < 4; ++k) {
    total[k] = 100.0f * k;
  }
  add<<<(n + 255) / 256, 256>>>(a, b, c, n);
  sums<<<1, 4>>>(c, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  float expected[4] = {0, 100, 200, 300};
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(c[i], a[i] + b[i]);
    expected[i % 4] += c[i];
  }
  for (int k = 0; k < 4; ++k) {
    CHECK_EQ(total[k], expected[k]);
  }
  CHECK_CUDA(cudaFree(a));
  CHECK_CUDA(cudaFree(b));
  CHECK_CUDA(cudaFree(c));
  return check_report();
}

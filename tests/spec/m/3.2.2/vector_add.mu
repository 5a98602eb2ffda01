// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear memory: allocate, copy in every direction, compute, copy back, free.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-01 M-3.2.2-02 M-3.2.8-01
#include <cstdint>
#include <vector>

#include "check.h"

__global__ void add(const float *a, const float *b, float *sum, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    sum[i] = a[i] + b[i];
  }
}

int main() {
  const int n = 10007;
  const size_t bytes = n * sizeof(float);
  std::vector<float> a(n), b(n), sum(n, -1.0f), copy(n, -1.0f);
  for (int i = 0; i < n; ++i) {
    a[i] = i * 0.25f;
    b[i] = 1000.0f - i;
  }
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  CHECK_MUSA(musaMalloc(&device_a, bytes));             // typed, without a cast
  CHECK_MUSA(musaMalloc((void **)&device_b, bytes));    // as in C
  CHECK_MUSA(musaMalloc(&device_sum, bytes));
  CHECK(device_a != device_b && device_b != device_sum);
  CHECK_EQ(reinterpret_cast<uintptr_t>(device_a) % 256, 0u);

  CHECK_MUSA(musaMemcpy(device_a, a.data(), bytes, musaMemcpyHostToDevice));
  CHECK_MUSA(musaMemcpy(device_b, b.data(), bytes, musaMemcpyDefault));
  int block = 256;
  add<<<(n + block - 1) / block, block>>>(device_a, device_b, device_sum, n);
  CHECK_MUSA(musaGetLastError());
  CHECK_MUSA(musaMemcpy(sum.data(), device_sum, bytes, musaMemcpyDeviceToHost));
  CHECK_MUSA(musaMemcpy(device_a, device_sum, bytes, musaMemcpyDeviceToDevice));
  CHECK_MUSA(musaMemcpy(copy.data(), device_a, bytes, musaMemcpyDefault));
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(sum[i], a[i] + b[i]);
    CHECK_EQ(copy[i], sum[i]);
  }
  std::vector<float> between(n);
  CHECK_MUSA(musaMemcpy(between.data(), sum.data(), bytes, musaMemcpyHostToHost));
  CHECK_EQ(between[n - 1], sum[n - 1]);
  CHECK_MUSA(musaFree(device_a));
  CHECK_MUSA(musaFree(device_b));
  CHECK_MUSA(musaFree(device_sum));
  CHECK_MUSA(musaFree(nullptr));
  return check_report();
}

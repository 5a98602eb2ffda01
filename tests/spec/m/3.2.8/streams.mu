// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two streams, each copying in, computing and copying out; order holds within each.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.8-02 M-3.2.8-03 M-3.2.8-06
#include "check.h"

__global__ void transform(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] * in[i] + 1.0f;
  }
}

int main() {
  musaDeviceProp properties{};
  CHECK_MUSA(musaGetDeviceProperties(&properties, 0));
  CHECK(properties.asyncEngineCount >= 1);

  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  musaStream_t stream[2];
  float *host = nullptr, *in = nullptr, *out = nullptr;
  for (int s = 0; s < 2; ++s) {
    CHECK_MUSA(musaStreamCreate(&stream[s]));
  }
  CHECK_MUSA(musaMallocHost(&host, 2 * bytes));
  CHECK_MUSA(musaMalloc(&in, 2 * bytes));
  CHECK_MUSA(musaMalloc(&out, 2 * bytes));
  for (int i = 0; i < 2 * n; ++i) {
    host[i] = i % 100;
  }
  for (int s = 0; s < 2; ++s) {
    CHECK_MUSA(musaMemcpyAsync(in + s * n, host + s * n, bytes, musaMemcpyHostToDevice, stream[s]));
  }
  for (int s = 0; s < 2; ++s) {
    transform<<<n / 128, 128, 0, stream[s]>>>(out + s * n, in + s * n, n);
  }
  for (int s = 0; s < 2; ++s) {
    CHECK_MUSA(musaMemcpyAsync(host + s * n, out + s * n, bytes, musaMemcpyDeviceToHost, stream[s]));
  }
  for (int s = 0; s < 2; ++s) {
    CHECK_MUSA(musaStreamSynchronize(stream[s]));
    CHECK_MUSA(musaStreamQuery(stream[s]));
  }
  for (int i = 0; i < 2 * n; ++i) {
    float x = i % 100;
    CHECK_EQ(host[i], x * x + 1.0f);
  }
  // From pageable memory the source may be reused as soon as the call returns.
  float pageable = 5.0f;
  CHECK_MUSA(musaMemcpyAsync(in, &pageable, sizeof pageable, musaMemcpyHostToDevice, stream[0]));
  pageable = 6.0f;
  transform<<<1, 1, 0, stream[0]>>>(out, in, 1);
  CHECK_MUSA(musaMemcpyAsync(&pageable, out, sizeof pageable, musaMemcpyDeviceToHost, stream[0]));
  CHECK_MUSA(musaStreamSynchronize(stream[0]));
  CHECK_EQ(pageable, 26.0f);
  for (int s = 0; s < 2; ++s) {
    CHECK_MUSA(musaStreamDestroy(stream[s]));
  }
  CHECK_MUSA(musaFree(in));
  CHECK_MUSA(musaFree(out));
  CHECK_MUSA(musaFreeHost(host));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams: copies (1-D and 2-D), kernels and memsets in order; asking and waiting.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.5.1-01 C-2.5.2-01 C-2.5.5-01
#include "check.h"

__managed__ volatile int go;

__global__ void wait_for_host() {
  while (go == 0) {
    __nanosleep(1000);
  }
}
__global__ void step(int *value, int expected) { *value = *value == expected ? expected + 1 : -1000000; }

int main() {
  int *value = nullptr, host = -1;
  CHECK_CUDA(cudaMalloc(&value, sizeof(int)));
  cudaStream_t stream, other;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamQuery(stream));
  wait_for_host<<<1, 1, 0, stream>>>();
  CHECK_CUDA(cudaMemsetAsync(value, 0, sizeof(int), stream));
  for (int i = 0; i < 300; ++i) {
    step<<<1, 1, 0, stream>>>(value, i);
  }
  CHECK_ERROR(cudaStreamQuery(stream), cudaErrorNotReady);
  CHECK_CUDA(cudaStreamQuery(other));

  // The other stream is not held up.
  const int width = 50, height = 20;
  char *rows = nullptr, *wide = nullptr;
  CHECK_CUDA(cudaMallocHost(&rows, width * height));
  CHECK_CUDA(cudaMalloc(&wide, 256 * height));
  for (int i = 0; i < width * height; ++i) {
    rows[i] = i % 101;
  }
  CHECK_CUDA(cudaMemset2DAsync(wide, 256, 9, 256, height, other));
  CHECK_CUDA(cudaMemcpy2DAsync(wide + 3, 256, rows, width, width, height, cudaMemcpyHostToDevice, other));
  CHECK_CUDA(cudaMemsetAsync(wide + 3, 77, 1, other));
  CHECK_CUDA(cudaMemcpy2DAsync(rows, width, wide + 3, 256, width, height, cudaMemcpyDeviceToHost, other));
  CHECK_CUDA(cudaStreamSynchronize(other));
  CHECK_EQ(rows[0], 77);
  for (int i = 1; i < width * height; ++i) {
    CHECK_EQ(rows[i], i % 101);
  }
  go = 1;
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaMemcpy(&host, value, sizeof host, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 300);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaStreamDestroy(other));
  CHECK_CUDA(cudaFree(value));
  CHECK_CUDA(cudaFree(wide));
  CHECK_CUDA(cudaFreeHost(rows));
  return check_report();
}

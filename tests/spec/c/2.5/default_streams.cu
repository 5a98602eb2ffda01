// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legacy default stream and blocking streams wait for each other; non-blocking streams do not. The explicit handles.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.5.6-01 C-2.5.6-02 C-2.5.7-01
#include "check.h"

__managed__ volatile int go;

__global__ void wait_for_host(int *cell) {
  while (go == 0) {
    __nanosleep(1000);
  }
  *cell = 1;
}
__global__ void add(int *to, const int *from, int n) { *to = *from + n; }

int main() {
  int *cells = nullptr;
  CHECK_CUDA(cudaMallocManaged(&cells, 5 * sizeof(int)));
  for (int i = 0; i < 5; ++i) {
    cells[i] = 0;
  }
  cudaStream_t blocking, free_running;
  CHECK_CUDA(cudaStreamCreate(&blocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking));
  wait_for_host<<<1, 1, 0, blocking>>>(&cells[0]);
  add<<<1, 1, 0, cudaStreamLegacy>>>(&cells[1], &cells[0], 10);
  add<<<1, 1, 0, blocking>>>(&cells[2], &cells[1], 100);
  add<<<1, 1, 0, cudaStreamPerThread>>>(&cells[4], &cells[1], 1000);
  add<<<1, 1, 0, free_running>>>(&cells[3], &cells[0], 5);
  CHECK_CUDA(cudaStreamSynchronize(free_running));
  CHECK_EQ(cells[3], 5);  // it did not wait
  CHECK_ERROR(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  CHECK_ERROR(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  go = 1;
  CHECK_CUDA(cudaStreamSynchronize(blocking));
  CHECK_EQ(cells[1], 11);
  CHECK_EQ(cells[2], 111);
  CHECK_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
  CHECK_EQ(cells[4], 1011);
  CHECK_CUDA(cudaStreamDestroy(blocking));
  CHECK_CUDA(cudaStreamDestroy(free_running));
  CHECK_CUDA(cudaFree(cells));
  return check_report();
}

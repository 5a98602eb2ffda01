// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: timing, progress marks in the middle of a stream, dependencies between streams.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.5.3-01 C-2.5.7-01 C-3.1.3-01
#include "check.h"

__managed__ volatile int go;

__global__ void first_half(int *cell) { *cell = 1; }
__global__ void second_half(int *cell) {
  while (go == 0) {
    __nanosleep(1000);
  }
  *cell = 2;
}
__global__ void join(int *cells) { cells[2] = cells[0] * 10 + cells[1]; }

int main() {
  int *cells = nullptr;
  CHECK_CUDA(cudaMallocManaged(&cells, 3 * sizeof(int)));
  cells[0] = cells[1] = cells[2] = 0;
  cudaStream_t a, b;
  cudaEvent_t start, middle, end, untimed;
  CHECK_CUDA(cudaStreamCreate(&a));
  CHECK_CUDA(cudaStreamCreate(&b));
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&middle));
  CHECK_CUDA(cudaEventCreate(&end));
  CHECK_CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CHECK_CUDA(cudaEventSynchronize(end));            // never recorded: complete
  CHECK_CUDA(cudaStreamWaitEvent(a, end, 0));       // and nothing to wait for

  CHECK_CUDA(cudaEventRecord(start, a));
  first_half<<<1, 1, 0, a>>>(&cells[0]);
  CHECK_CUDA(cudaEventRecord(middle, a));
  second_half<<<1, 1, 0, a>>>(&cells[0]);
  CHECK_CUDA(cudaEventRecord(end, a));
  CHECK_CUDA(cudaEventSynchronize(middle));         // while the second half still runs
  CHECK_EQ(cells[0], 1);
  CHECK_ERROR(cudaEventQuery(end), cudaErrorNotReady);
  first_half<<<1, 1, 0, b>>>(&cells[1]);
  CHECK_CUDA(cudaStreamWaitEvent(b, end, 0));
  join<<<1, 1, 0, b>>>(cells);
  CHECK_CUDA(cudaEventRecord(untimed, b));
  CHECK_ERROR(cudaStreamQuery(b), cudaErrorNotReady);
  go = 1;
  CHECK_CUDA(cudaEventSynchronize(untimed));
  CHECK_EQ(cells[2], 21);
  float whole = -1, part = -1;
  CHECK_CUDA(cudaEventElapsedTime(&whole, start, end));
  CHECK_CUDA(cudaEventElapsedTime(&part, start, middle));
  CHECK(part >= 0 && part <= whole);
  CHECK_ERROR(cudaEventElapsedTime(&part, start, untimed), cudaErrorInvalidResourceHandle);
  for (cudaEvent_t event : {start, middle, end, untimed}) {
    CHECK_CUDA(cudaEventDestroy(event));
  }
  CHECK_CUDA(cudaStreamDestroy(a));
  CHECK_CUDA(cudaStreamDestroy(b));
  CHECK_CUDA(cudaFree(cells));
  return check_report();
}

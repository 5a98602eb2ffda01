// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: time between two of them, waiting for one on the host and in another stream, asking without waiting.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.8-09 M-3.2.8-06
#include "check.h"

__managed__ volatile int go;

__global__ void wait_for_host(int *value) {
  while (go == 0) {
    __nanosleep(1000);
  }
  *value = 1;
}
__global__ void twice(int *to, const int *from) { *to = 2 * *from; }

int main() {
  int *cell = nullptr;
  CHECK_MUSA(musaMallocManaged(&cell, 2 * sizeof(int)));
  cell[0] = cell[1] = 0;
  musaEvent_t start, stop;
  musaStream_t first, second;
  CHECK_MUSA(musaEventCreate(&start));
  CHECK_MUSA(musaEventCreate(&stop));
  CHECK_MUSA(musaStreamCreateWithFlags(&first, musaStreamNonBlocking));
  CHECK_MUSA(musaStreamCreateWithFlags(&second, musaStreamNonBlocking));
  CHECK_MUSA(musaEventQuery(stop));  // never recorded: complete

  CHECK_MUSA(musaEventRecord(start, first));
  wait_for_host<<<1, 1, 0, first>>>(&cell[0]);
  CHECK_MUSA(musaEventRecord(stop, first));
  CHECK_MUSA(musaStreamWaitEvent(second, stop, 0));
  twice<<<1, 1, 0, second>>>(&cell[1], &cell[0]);
  CHECK_ERROR(musaEventQuery(stop), musaErrorNotReady);
  float ms = -1.0f;
  CHECK_ERROR(musaEventElapsedTime(&ms, start, stop), musaErrorNotReady);
  CHECK_ERROR(musaPeekAtLastError(), musaSuccess);  // not-ready is not an error
  go = 1;
  CHECK_MUSA(musaEventSynchronize(stop));
  CHECK_EQ(cell[0], 1);
  CHECK_MUSA(musaStreamSynchronize(second));
  CHECK_EQ(cell[1], 2);
  CHECK_MUSA(musaEventElapsedTime(&ms, start, stop));
  CHECK(ms >= 0.0f && ms < 60000.0f);
  CHECK_MUSA(musaEventDestroy(start));
  CHECK_MUSA(musaEventDestroy(stop));
  CHECK_MUSA(musaStreamDestroy(first));
  CHECK_MUSA(musaStreamDestroy(second));
  CHECK_MUSA(musaFree(cell));
  return check_report();
}

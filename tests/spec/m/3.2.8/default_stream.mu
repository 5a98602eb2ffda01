// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legacy default stream waits for all blocking streams and they for it; with one default stream a thread it does not.
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc --default-stream per-thread %s -o %t.thread && %run %t.thread
// RUN: %mcc -DMUSA_API_PER_THREAD_DEFAULT_STREAM %s -o %t.macro && %run %t.macro
// covers: M-3.2.8-05 M-3.2.8-07
#include "check.h"

__managed__ volatile int go;

__global__ void wait_for_host() {
  while (go == 0) {
    __nanosleep(1000);
  }
}

__global__ void store(int *to, int value) { *to = value; }
__global__ void copy(int *to, const int *from) { *to = *from; }

int main() {
  int *cell = nullptr;
  CHECK_MUSA(musaMallocManaged(&cell, 3 * sizeof(int)));
  cell[0] = cell[1] = cell[2] = 0;
  musaStream_t first, second;
  CHECK_MUSA(musaStreamCreate(&first));
  CHECK_MUSA(musaStreamCreate(&second));
#ifdef MUSA_API_PER_THREAD_DEFAULT_STREAM
  // The default stream is one of this thread: it runs while another stream waits.
  wait_for_host<<<1, 1, 0, first>>>();
  store<<<1, 1>>>(&cell[0], 5);
  CHECK_MUSA(musaStreamSynchronize(0));
  CHECK_EQ(cell[0], 5);
  CHECK_ERROR(musaStreamQuery(first), musaErrorNotReady);
  go = 1;
#else
  // first, then the default stream, then second: a chain without any event.
  wait_for_host<<<1, 1, 0, first>>>();
  store<<<1, 1, 0, first>>>(&cell[0], 7);
  copy<<<1, 1>>>(&cell[1], &cell[0]);
  copy<<<1, 1, 0, second>>>(&cell[2], &cell[1]);
  CHECK_ERROR(musaStreamQuery(second), musaErrorNotReady);
  go = 1;
  CHECK_MUSA(musaStreamSynchronize(second));
  CHECK_EQ(cell[2], 7);
#endif
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_MUSA(musaStreamDestroy(first));
  CHECK_MUSA(musaStreamDestroy(second));
  CHECK_MUSA(musaFree(cell));
  return check_report();
}

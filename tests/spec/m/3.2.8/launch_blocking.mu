// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch returns while its kernel runs; with MUSA_LAUNCH_BLOCKING=1 it returns when the kernel is done.
// RUN: %mcc %s -o %t && %run %t
// RUN: env MUSA_LAUNCH_BLOCKING=1 %run %t blocking
// covers: M-3.2.8-01 C-5.2.3.1-01 C-5.2.5.1-02
#include "check.h"

__global__ void work(volatile int *cell, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    __nanosleep(100000);
  }
  *cell = 1;
}

__global__ void wait_for_host(volatile int *cell) {
  while (cell[1] == 0) {
    __nanosleep(1000);
  }
  cell[0] = 2;
}

int main(int argc, char **) {
  volatile int *cell = nullptr;
  CHECK_MUSA(musaMallocManaged((void **)&cell, 2 * sizeof(int)));
  cell[0] = cell[1] = 0;
  if (argc > 1) {
    work<<<1, 1>>>(cell, 500);
    CHECK_EQ((int)cell[0], 1);
  } else {
    wait_for_host<<<1, 1>>>(cell);
    CHECK_EQ((int)cell[0], 0);
    cell[1] = 1;
    CHECK_MUSA(musaDeviceSynchronize());
    CHECK_EQ((int)cell[0], 2);
  }
  CHECK_MUSA(musaFree((void *)cell));
  return check_report();
}

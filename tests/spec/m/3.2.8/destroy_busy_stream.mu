// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destroying a stream that has work returns at once; the work is done all the same.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.8-04 C-2.5.2-01
#include "check.h"

__managed__ volatile int go;

__global__ void wait_and_add(int *value) {
  while (go == 0) {
    __nanosleep(1000);
  }
  *value += 1;
}

int main() {
  int *value = nullptr;
  CHECK_MUSA(musaMallocManaged(&value, sizeof(int)));
  *value = 10;
  musaStream_t stream;
  CHECK_MUSA(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  wait_and_add<<<1, 1, 0, stream>>>(value);
  wait_and_add<<<1, 1, 0, stream>>>(value);
  CHECK_MUSA(musaStreamDestroy(stream));
  go = 1;
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_EQ(*value, 12);
  CHECK_MUSA(musaFree(value));
  return check_report();
}

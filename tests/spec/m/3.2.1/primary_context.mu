// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first call initialises the run time; a reset destroys the primary context with its memory, and the next call
// makes a new one.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.1-01 M-3.2.1-02 M-3-01 M-3.1-01 M-3.3-01
#include "check.h"

__device__ int counter = 7;

__global__ void add_one() { counter += 1; }

int main() {
  int value = 0;
  add_one<<<1, 1>>>();
  CHECK_MUSA(musaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK_EQ(value, 8);

  void *memory = nullptr;
  CHECK_MUSA(musaMalloc(&memory, 1000));
  CHECK_MUSA(musaDeviceReset());
  musaPointerAttributes attributes{};
  musaError_t gone = musaPointerGetAttributes(&attributes, memory);
  CHECK(gone != musaSuccess || attributes.type == musaMemoryTypeUnregistered);
  musaGetLastError();

  // A new context has fresh variables.
  CHECK_MUSA(musaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK_EQ(value, 7);
  add_one<<<1, 1>>>();
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_MUSA(musaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK_EQ(value, 8);
  return check_report();
}

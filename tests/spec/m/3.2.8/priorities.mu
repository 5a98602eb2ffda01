// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams with priorities: the range, clamping, and that they run like any other.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.8-08 M-3.2.8-10
#include "check.h"

__global__ void increment(int *value) { atomicAdd(value, 1); }

int main() {
  CHECK_MUSA(musaSetDeviceFlags(musaDeviceScheduleBlockingSync));
  unsigned flags = 0;
  CHECK_MUSA(musaGetDeviceFlags(&flags));
  CHECK_EQ(flags & musaDeviceScheduleMask, musaDeviceScheduleBlockingSync);

  int least = -99, greatest = 99;
  CHECK_MUSA(musaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest <= least);
  int *value = nullptr;
  CHECK_MUSA(musaMallocManaged(&value, sizeof(int)));
  *value = 0;
  musaStream_t high, low, beyond;
  CHECK_MUSA(musaStreamCreateWithPriority(&high, musaStreamNonBlocking, greatest));
  CHECK_MUSA(musaStreamCreateWithPriority(&low, musaStreamNonBlocking, least));
  CHECK_MUSA(musaStreamCreateWithPriority(&beyond, musaStreamNonBlocking, greatest - 100));
  int got = 0;
  CHECK_MUSA(musaStreamGetPriority(high, &got));
  CHECK_EQ(got, greatest);
  CHECK_MUSA(musaStreamGetPriority(beyond, &got));
  CHECK_EQ(got, greatest);
  CHECK_MUSA(musaStreamGetFlags(low, &flags));
  CHECK_EQ(flags, musaStreamNonBlocking);
  for (musaStream_t stream : {high, low, beyond}) {
    increment<<<4, 32, 0, stream>>>(value);
  }
  CHECK_MUSA(musaDeviceSynchronize());
  CHECK_EQ(*value, 3 * 128);
  for (musaStream_t stream : {high, low, beyond}) {
    CHECK_MUSA(musaStreamDestroy(stream));
  }
  CHECK_MUSA(musaFree(value));
  return check_report();
}

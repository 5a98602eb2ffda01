// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A system-wide fence orders two writes for a host thread that polls while the kernel runs.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.7-02
#include "check.h"

__managed__ volatile int data;
__managed__ volatile int flag;
__managed__ volatile int answer;

__global__ void produce() {
  data = 42;
  __threadfence_system();
  flag = 1;
  while (answer == 0) {
    __nanosleep(100);
  }
}

int main() {
  musaDeviceProp properties{};
  CHECK_MUSA(musaGetDeviceProperties(&properties, 0));
  if (!properties.concurrentManagedAccess) {
    return check_report();
  }
  produce<<<1, 1>>>();
  while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 0) {
  }
  CHECK_EQ((int)data, 42);
  CHECK_ERROR(musaStreamQuery(0), musaErrorNotReady);
  __atomic_store_n(&answer, 1, __ATOMIC_RELEASE);
  CHECK_MUSA(musaDeviceSynchronize());
  return check_report();
}

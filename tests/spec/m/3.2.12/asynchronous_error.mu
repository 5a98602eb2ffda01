// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault in a kernel appears at a later call, stays until the reset, and the process lives on.
// gpu: no (a fault stays with the vendor's driver until the process ends)
// RUN: %mcc %s -o %t && %run %t 2>&1 | %FileCheck %s
// covers: M-3.2.12-02
#include "check.h"

__global__ void bad(int *nowhere) { *nowhere = 1; }
__global__ void good(int *where) { *where = 1; }

int main() {
  int *memory = nullptr;
  CHECK_MUSA(musaMalloc(&memory, sizeof(int)));
  // CHECK: bad
  bad<<<1, 1>>>((int *)64);
  musaError_t error = musaDeviceSynchronize();
  CHECK(error == musaErrorIllegalAddress || error == musaErrorLaunchFailure);
  CHECK_ERROR(musaDeviceSynchronize(), error);
  CHECK_ERROR(musaMemset(memory, 0, sizeof(int)), error);
  CHECK_MUSA(musaDeviceReset());
  musaGetLastError();
  int host = 0;
  CHECK_MUSA(musaMalloc(&memory, sizeof(int)));
  good<<<1, 1>>>(memory);
  CHECK_MUSA(musaMemcpy(&host, memory, sizeof host, musaMemcpyDeviceToHost));
  CHECK_EQ(host, 1);
  // CHECK: passed
  return check_report();
}

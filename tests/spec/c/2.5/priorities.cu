// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream priorities: lower numbers are higher, out-of-range ones are clamped.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.5.9.1-01
#include "check.h"

int main() {
  int least = 0, greatest = 0;
  CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest <= least && least == 0);
  CHECK_CUDA(cudaDeviceGetStreamPriorityRange(nullptr, &greatest));
  for (int wanted = greatest - 2; wanted <= least + 2; ++wanted) {
    cudaStream_t stream;
    int got = 100;
    CHECK_CUDA(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, wanted));
    CHECK_CUDA(cudaStreamGetPriority(stream, &got));
    CHECK_EQ(got, wanted < greatest ? greatest : wanted > least ? least : wanted);
    CHECK_CUDA(cudaStreamDestroy(stream));
  }
  cudaStream_t stream;
  CHECK_ERROR(cudaStreamCreateWithPriority(&stream, 0x80, least), cudaErrorInvalidValue);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: creation, query, synchronisation, times; events that are not there.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  cudaEvent_t start = nullptr, end = nullptr, silent = nullptr;
  REQUIRE_CUDA(cudaEventCreate(&start));
  REQUIRE_CUDA(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
  REQUIRE_CUDA(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming));
  CHECK_CUDA(cudaEventQuery(start));  // not recorded: nothing to wait for
  CHECK_CUDA(cudaEventSynchronize(start));
  float ms = -1;
  CHECK_ERROR(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaEventRecord(start));
  CHECK_CUDA(cudaEventRecord(end));
  CHECK_CUDA(cudaEventRecord(silent));
  CHECK_CUDA(cudaEventSynchronize(end));
  CHECK_CUDA(cudaEventElapsedTime(&ms, start, end));
  CHECK(ms >= 0);
  CHECK_CUDA(cudaEventSynchronize(silent));
  CHECK_ERROR(cudaEventElapsedTime(&ms, start, silent), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventElapsedTime(nullptr, start, end), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventCreate(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventCreateWithFlags(&end, 99), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventSynchronize(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamWaitEvent(nullptr, nullptr, 0), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_ERROR(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaEventDestroy(end));
  CHECK_CUDA(cudaEventDestroy(silent));
  return check_report();
}

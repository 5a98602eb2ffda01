// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events that are null, destroyed, or no handles at all: recognised, never followed.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.7-01
#include "check.h"

__global__ void nothing() {}

int main() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  CHECK_ERROR(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventCreate((cudaEvent_t *)nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventCreateWithFlags(&event, 0x8000), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventRecord(nullptr, 0), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventSynchronize(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);

  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaEventDestroy(event));
  for (int more = 0; more < 3; ++more) {
    CHECK(cudaStreamSynchronize(stream) != cudaSuccess);
    CHECK(cudaStreamQuery(stream) != cudaSuccess);
    CHECK(cudaStreamDestroy(stream) != cudaSuccess);
    CHECK(cudaEventRecord(event, 0) != cudaSuccess);
    CHECK(cudaEventDestroy(event) != cudaSuccess);
    CHECK(cudaStreamWaitEvent(0, event, 0) != cudaSuccess);
    nothing<<<1, 1, 0, stream>>>();
    CHECK(cudaGetLastError() != cudaSuccess);
    // New handles do not make the old ones valid.
    cudaStream_t newer;
    cudaEvent_t newer_event;
    CHECK_CUDA(cudaStreamCreate(&newer));
    CHECK_CUDA(cudaEventCreate(&newer_event));
    CHECK(newer != stream && newer_event != event);
  }
  char junk[256] = {};
  cudaStream_t foreign = (cudaStream_t)junk, odd = (cudaStream_t)0x12345, as_event = (cudaStream_t)event;
  for (cudaStream_t wrong : {foreign, odd, as_event}) {
    CHECK(cudaStreamSynchronize(wrong) != cudaSuccess);
    CHECK(cudaStreamDestroy(wrong) != cudaSuccess);
  }
  CHECK(cudaEventQuery((cudaEvent_t)junk) != cudaSuccess);
  cudaGetLastError();
  float ms = 0;
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_ERROR(cudaEventElapsedTime(nullptr, event, event), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle);  // never recorded
  cudaGetLastError();
  nothing<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}

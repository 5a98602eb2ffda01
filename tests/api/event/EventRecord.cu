// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaEventRecord: what is waited for, in streams that are idle and in streams that only look idle.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// oracle: no (asks for what a GPU does a little later)
// covers: C-2.5.3-01 M-3.2.8-09
#include <cuda_runtime.h>

#include "check.h"

__global__ void hold(volatile int *go) {
  while (*go == 0) {
  }
}

int main() {
  int *go = nullptr;
  REQUIRE_CUDA(cudaMallocHost(&go, sizeof *go));
  cudaStream_t blocking = nullptr, independent = nullptr;
  REQUIRE_CUDA(cudaStreamCreate(&blocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&independent, cudaStreamNonBlocking));
  cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
  REQUIRE_CUDA(cudaEventCreate(&start));
  REQUIRE_CUDA(cudaEventCreate(&end));
  REQUIRE_CUDA(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  float ms = -1;
  CHECK_CUDA(cudaEventQuery(start));  // never recorded: nothing to wait for
  CHECK_ERROR(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);

  // Nothing runs anywhere.
  CHECK_CUDA(cudaEventRecord(start, independent));
  CHECK_CUDA(cudaEventQuery(start));
  CHECK_ERROR(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaEventRecord(untimed, independent));
  CHECK_ERROR(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
  CHECK_EQ(ms, -1.0f);

  // The default stream runs a kernel: blocking streams come after it, though nothing was ever queued there.
  *go = 0;
  hold<<<1, 1>>>(go);
  CHECK_CUDA(cudaEventRecord(end, blocking));
  CHECK_ERROR(cudaEventQuery(end), cudaErrorNotReady);
  CHECK_ERROR(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
  CHECK_CUDA(cudaEventRecord(untimed, independent));
  CHECK_CUDA(cudaEventQuery(untimed));
  *go = 1;
  CHECK_CUDA(cudaEventSynchronize(end));
  CHECK_CUDA(cudaEventElapsedTime(&ms, start, end));
  CHECK(ms > 0);
  CHECK_CUDA(cudaEventElapsedTime(&ms, end, start));
  CHECK(ms < 0);
  CHECK_CUDA(cudaDeviceSynchronize());

  // A blocking stream runs a kernel: so the default stream is not idle either.
  *go = 0;
  hold<<<1, 1, 0, blocking>>>(go);
  CHECK_CUDA(cudaEventRecord(end, 0));
  CHECK_ERROR(cudaEventQuery(end), cudaErrorNotReady);
  // The last recording counts, also when it has nothing to wait for and the one before has.
  CHECK_CUDA(cudaEventRecord(end, independent));
  CHECK_CUDA(cudaEventQuery(end));
  CHECK_CUDA(cudaEventElapsedTime(&ms, start, end));
  CHECK(ms > 0);
  CHECK_CUDA(cudaStreamWaitEvent(independent, end, 0));
  CHECK_CUDA(cudaStreamQuery(independent));
  CHECK_CUDA(cudaEventRecord(end, blocking));
  CHECK_CUDA(cudaStreamWaitEvent(independent, end, 0));
  CHECK_ERROR(cudaStreamQuery(independent), cudaErrorNotReady);
  *go = 1;
  CHECK_CUDA(cudaStreamSynchronize(independent));
  CHECK_CUDA(cudaEventQuery(end));
  for (cudaEvent_t event : {start, end, untimed}) {
    CHECK_CUDA(cudaEventDestroy(event));
  }
  CHECK_CUDA(cudaStreamDestroy(blocking));
  CHECK_CUDA(cudaStreamDestroy(independent));
  CHECK_CUDA(cudaFreeHost(go));
  return check_report();
}

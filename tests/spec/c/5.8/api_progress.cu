// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Progress by API calls: work that was queued starts and ends though the host only asks, and streams run in order.
// RUN: %mcc -std=c++17 %s -o %t && %run %t && env HELICON_THREADS=1 %run %t
// covers: C-5.8-02
#include <cuda_runtime.h>

#include "check.h"

__global__ void raise(volatile int *flag) { *flag = 1; }
__global__ void await_flag(volatile int *flag, int *done) {
  while (*flag == 0) {
  }
  *done = 1;
}
__global__ void check_flag(const int *flag, int *seen) { *seen = *flag; }

int main() {
  int *cells = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&cells, 4 * sizeof(int)));
  volatile int *flag = cells;
  int *done = cells + 1, *seen = cells + 2;
  cudaStream_t first = nullptr, second = nullptr;
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  REQUIRE_CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));

  // The host waits for memory only, without any call.
  *flag = 0;
  raise<<<1, 1, 0, first>>>((int *)flag);
  while (*flag == 0) {
  }
  CHECK_CUDA(cudaDeviceSynchronize());

  // The host asks again and again.
  *flag = *done = 0;
  await_flag<<<1, 1, 0, first>>>((int *)flag, done);
  raise<<<1, 1, 0, second>>>((int *)flag);
  while (cudaStreamQuery(first) == cudaErrorNotReady) {
  }
  CHECK_EQ(*done, 1);
  CHECK_CUDA(cudaStreamQuery(second));

  // A device-wide wait starts what is pending.
  *flag = *done = 0;
  await_flag<<<1, 1, 0, first>>>((int *)flag, done);
  raise<<<1, 1, 0, second>>>((int *)flag);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*done, 1);

  // One stream runs its kernels in order: the second sees what the first did.
  for (int i = 0; i < 100; i++) {
    *flag = 0;
    *seen = 0;
    raise<<<1, 1, 0, first>>>((int *)flag);
    check_flag<<<1, 1, 0, first>>>((const int *)flag, seen);
    CHECK_CUDA(cudaStreamSynchronize(first));
    CHECK_EQ(*seen, 1);
  }
  CHECK_CUDA(cudaStreamDestroy(first));
  CHECK_CUDA(cudaStreamDestroy(second));
  CHECK_CUDA(cudaFree(cells));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the API bring pending work forward: waiting ends once the work can end, asking again and again lets it end, kernels of one
// stream run in order, and a kernel that waits for the host goes on when the host has acted.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-5.8-02
#include "check.h"

#include <cuda_runtime.h>

__global__ void wait_for(volatile int *flag, int value, int *then) {
  while (*flag != value) {
  }
  *then = value + 1;
}
__global__ void set(volatile int *flag, int value) { *flag = value; }
__global__ void copy(const int *from, int *to) { *to = *from + 100; }

int main() {
  int *flag, *then;
  CHECK_CUDA(cudaMallocHost(&flag, sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&then, 2 * sizeof(int)));
  *flag = 0;
  then[0] = then[1] = 0;
  cudaStream_t stream, other;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));

  // The host acts after the launch.
  wait_for<<<1, 1, 0, stream>>>(flag, 1, then);
  CHECK_ERROR(cudaStreamQuery(stream), cudaErrorNotReady);
  __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(then[0], 2);

  // Work in order: the second kernel of a stream sees what the first one wrote.
  for (int i = 0; i < 100; ++i) {
    set<<<1, 1, 0, stream>>>(then, i);
    copy<<<1, 1, 0, stream>>>(then, then + 1);
  }
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  CHECK_CUDA(cudaStreamQuery(stream));
  CHECK_EQ(then[1], 199);

  // A kernel of one stream waits for one of another stream that is launched after it.
  *flag = 0;
  wait_for<<<1, 1, 0, stream>>>(flag, 7, then);
  set<<<1, 1, 0, other>>>(flag, 7);
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(then[0], 8);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaStreamDestroy(other));
  return check_report();
}

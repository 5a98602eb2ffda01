// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops without an end that nobody enters change nothing, and a thread that waits for another one of its block by atomic reads
// goes on when that has written; also where launches block and one connection serves all streams.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: env CUDA_DEVICE_MAX_CONNECTIONS=1 CUDA_LAUNCH_BLOCKING=1 %run %t
// covers: C-5.8-03
#include <cuda/atomic>

#include "check.h"

// Each of these might hang if it were entered.
__global__ void empty_loop(int enter, int *out) {
  if (enter == 1) {
    while (true) {}
  }
  if (enter == 2) {
    volatile bool again = true;
    while (again) {}
  }
  if (enter == 3) {
    cuda::atomic<bool, cuda::thread_scope_thread> again(true);
    while (again.load()) {}
  }
  if (enter == 4) {
    for (;;) __nanosleep(1);
  }
  out[threadIdx.x] = threadIdx.x + 1;
}

__global__ void wait_for_a_neighbour(int *flag) {
  cuda::atomic_ref<int, cuda::thread_scope_device> atom(*flag);
  if (threadIdx.x == 0) {
    while (atom.load(cuda::memory_order_relaxed) == 0) {}
  } else if (threadIdx.x == 1) {
    atom.store(1, cuda::memory_order_relaxed);
  }
}

__global__ void meet() { __syncthreads(); }

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  out[0] = 0;
  empty_loop<<<1, 64>>>(0, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) CHECK_EQ(out[t], t + 1);
  out[0] = 0;
  wait_for_a_neighbour<<<1, 2>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 1);
  cudaStream_t streams[4];
  for (cudaStream_t &stream : streams) CHECK_CUDA(cudaStreamCreate(&stream));
  for (int i = 0; i < 40; ++i) meet<<<1, 2, 0, streams[i % 4]>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}

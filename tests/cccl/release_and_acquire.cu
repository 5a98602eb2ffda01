// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Release and acquire add up across scopes: what one thread of the device wrote, the host sees by way of a second thread
// that it synchronised with in the scope of the device.
// REQUIRES: cccl
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: M-3.2.7-01
#include "check.h"

#include <cuda/atomic>

__managed__ int x = 0;
__device__ cuda::atomic<int, cuda::thread_scope_device> a(0);
__managed__ cuda::atomic<int, cuda::thread_scope_system> b(0);

__global__ void hand_on() {
  if (blockIdx.x == 0) {
    x = 1;
    a = 1;
  } else {
    while (a != 1) {
    }
    b = x == 1 ? 1 : -1;
  }
}

int main() {
  hand_on<<<2, 1>>>();
  while (b == 0) {
  }
  CHECK_EQ(b.load(), 1);
  CHECK_EQ(x, 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}

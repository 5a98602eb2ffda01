// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long straight code, ten thousand operations, which compiles in seconds. Large kernels get few forms for all shapes of
// blocks, which the log says.
// gpu: no (about the engines of the CPU)
// RUN: %mcc %s -o %t && env HELICON_LOG=engine %run %t 2>&1 | %FileCheck %s
// REQUIRES: engine-warp
#include "check.h"

#define STEP             \
  x = x * 1664525u + y; \
  y ^= x >> 13;
#define STEPS_10 STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_100 \
  STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10
#define STEPS_600 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100

#define STEPS_2400 STEPS_600 STEPS_600 STEPS_600 STEPS_600

__global__ void small(unsigned *out) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  STEPS_10
  out[threadIdx.y * 64 + threadIdx.x + blockIdx.x * 128] = x ^ y;
}

__global__ void large(unsigned *out) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  STEPS_2400
  out[threadIdx.y * 64 + threadIdx.x + blockIdx.x * 128] = x ^ y;
}

// CHECK: kernel=small{{.*}} engine=warp
// CHECK-NOT: reason
// CHECK: kernel=large{{.*}} engine=warp {{.*}}reason=there is much code: fewer forms of the kernel are made
void check_kernel(void (*kernel)(unsigned *), int steps, dim3 block) {
  unsigned *out;
  CHECK_CUDA(cudaMallocManaged(&out, 512 * sizeof(unsigned)));
  kernel<<<2, block>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (unsigned b = 0; b < 2; b++) {
    for (unsigned ty = 0; ty < block.y; ty++) {
      for (unsigned tx = 0; tx < block.x; tx++) {
        unsigned x = b * block.x + tx, y = ty;
        for (int i = 0; i < steps; i++) {
          STEP
        }
        CHECK_EQ(out[ty * 64 + tx + b * 128], x ^ y);
      }
    }
  }
  CHECK_CUDA(cudaFree(out));
}

int main() {
  check_kernel(small, 10, dim3(64, 2));
  check_kernel(large, 2400, dim3(64, 2));
  check_kernel(large, 2400, dim3(37, 2));
  return check_report();
}

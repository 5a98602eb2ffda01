// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large kernels that do not ask for rows of threads have one form of code, for blocks of one row. A user would have waited
// twice as long for forms that hardly any launch runs. Blocks of several rows come out right all the same.
// gpu: no (about the engines of the CPU)
// RUN: %mcc %s -o %t && env HELICON_LOG=engine %run %t 2>&1 | %FileCheck %s
// RUN: not env HELICON_ENGINE=warp %t 2>&1 | %FileCheck %s --check-prefix=FORCED
// REQUIRES: engine-warp
#include "check.h"

#define STEP                                        \
  x = x * 6364136223846793005ull + (y ^ x >> 22); \
  y ^= x >> 29;
#define STEPS_10 STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS_100 \
  STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10 STEPS_10
#define STEPS_1600                                                                                                    \
  STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 STEPS_100 \
      STEPS_100 STEPS_100 STEPS_100 STEPS_100

__global__ void large(unsigned long long *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned long long x = i, y = n;
    STEPS_1600
    out[i] = x ^ y;
  }
}

void check_blocks(unsigned long long *out, unsigned n, dim3 block) {
  large<<<(n + block.x - 1) / block.x, block>>>(out, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (unsigned i = 0; i < n; i++) {
    unsigned long long x = i, y = n;
    for (int step = 0; step < 1600; step++) {
      STEP
    }
    CHECK_EQ(out[i], x ^ y);
    out[i] = 0;
  }
}

// CHECK: kernel=large{{.*}} engine=warp {{.*}}reason=there is much code: fewer forms of the kernel are made
// CHECK: kernel=large{{.*}} engine=warp
// CHECK: kernel=large{{.*}} engine=thread {{.*}}reason=there is much code: fewer forms of the kernel are made
// FORCED: cudaErrorNotSupported
int main() {
  constexpr unsigned n = 300;
  unsigned long long *out;
  CHECK_CUDA(cudaMallocManaged(&out, n * sizeof(*out)));
  check_blocks(out, n, dim3(96));
  check_blocks(out, n, dim3(75));
  check_blocks(out, n, dim3(16, 2));
  CHECK_CUDA(cudaFree(out));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of dynamic shared memory in MUSA programs: as much as the device says it has can be asked for.
// report: ggml-org/llama.cpp#11843
// RUN: %mcc -O2 %s -o %t && %run %t
#include "check.h"

#include <musa_runtime.h>

/// A row of `count` numbers in shared memory, summed up.
__global__ void row_sum(int count, float *sum) {
  extern __shared__ float row[];
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    row[i] = i % 10;
  }
  __syncthreads();
  float own = 0;
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    own += row[count - 1 - i];
  }
  atomicAdd(sum, own);
}

int main() {
  musaDeviceProp properties;
  CHECK_MUSA(musaGetDeviceProperties(&properties, 0));
  int most = 0;
  CHECK_MUSA(musaDeviceGetAttribute(&most, musaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK_EQ((int)properties.sharedMemPerBlockOptin, most);
  float *sum;
  CHECK_MUSA(musaMallocManaged(&sum, sizeof *sum));
  for (int bytes : {(int)properties.sharedMemPerBlock, most}) {
    CHECK_MUSA(musaFuncSetAttribute((const void *)row_sum, musaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const int count = bytes / (int)sizeof(float);
    *sum = 0;
    row_sum<<<1, 128, bytes>>>(count, sum);
    CHECK_MUSA(musaGetLastError());
    CHECK_MUSA(musaDeviceSynchronize());
    float expected = 0;
    for (int i = 0; i < count; i++) {
      expected += i % 10;
    }
    CHECK_EQ(*sum, expected);
  }
  CHECK_ERROR(musaFuncSetAttribute((const void *)row_sum, musaFuncAttributeMaxDynamicSharedMemorySize, most + 1),
              musaErrorInvalidValue);
  CHECK_MUSA(musaFree(sum));
  return check_report();
}

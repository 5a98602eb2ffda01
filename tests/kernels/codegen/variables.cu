// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device, constant, managed and static variables; variables with names of the C library; where pointers lead.
// covers: C-2.1.9-01 C-2.3.3.5-01 C-5.4.1.2-01 C-5.4.8.1-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

__constant__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__managed__ int managed = 5;
__managed__ int zeros[10];
__device__ int counter = 11;
static __device__ int hidden = 12;
__device__ float getpid = 0.5f;
__device__ int environ = 3;
__shared__ int shared[4];

__global__ void look(int *out) {
  static __device__ int calls;
  int local = 0;
  out[0] = table[threadIdx.x & 7];
  out[1] = managed;
  managed = 77;
  zeros[3] = 9;
  out[2] = counter;
  out[3] = hidden;
  out[4] = atomicAdd(&calls, 1);
  out[5] = __isShared(shared);
  out[6] = __isGlobal(&counter);
  out[7] = __isLocal(out);
  out[8] = __isLocal(&local);
  out[9] = __isConstant(table);
  out[10] = __isGlobal(table);
  out[11] = __isGlobal(out);
  out[12] = (int)(2 * getpid) + environ;
}

int main() {
  int *out;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  int first[2] = {100, 200}, value = 33;
  CHECK_CUDA(cudaMemcpyToSymbol(table, first, sizeof(first)));
  CHECK_CUDA(cudaMemcpyToSymbol(hidden, &value, sizeof(value)));
  look<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int expected[] = {100, 5, 11, 33, 0, 1, 1, 0, 1, 1, 0, 1, 4};
  for (int i = 0; i < 13; ++i) {
    CHECK_EQ(out[i], expected[i]);
  }
  CHECK_EQ(managed, 77);
  CHECK_EQ(zeros[3], 9);
  look<<<1, 1>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[4], 1);
  return check_report();
}

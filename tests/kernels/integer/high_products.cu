// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The upper half of a product of small numbers, kept in a short: a user saw one constant in all lanes.
// RUN: %mcc -O3 %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime.h>

__global__ void upper(const int *in, int *out) {
  int thread = threadIdx.x + blockDim.x * threadIdx.y;
  short v = in[thread];
  v = (short)__mulhi(__ffs((unsigned)v), (int)v);
  out[thread] = min((int)threadIdx.x, (int)v);
}

// Of a sum that the half belongs to, 16 bits are kept.
__global__ void sums(const int *in, unsigned short *out) {
  int thread = threadIdx.x + blockDim.x * threadIdx.y;
  signed char v = in[thread];
  out[thread] = (unsigned short)(__mulhi((int)v, (int)v) + v);
  out[96 + thread] = (unsigned short)((((long long)v * v >> 32) + v) >> 1);
}

int main() {
  int *in, *out;
  REQUIRE_CUDA(cudaMallocManaged(&in, 96 * sizeof(int)));
  REQUIRE_CUDA(cudaMallocManaged(&out, 96 * sizeof(int)));
  for (int i = 0; i < 96; ++i) in[i] = i * 37 % 23 - 9;
  for (dim3 block : {dim3(96), dim3(32, 3), dim3(16, 6), dim3(8, 12), dim3(6, 16)}) {
    upper<<<1, block>>>(in, out);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 96; ++i) CHECK_EQ(out[i], in[i] < 0 ? -1 : 0);
    unsigned short *shorts = reinterpret_cast<unsigned short *>(out);
    sums<<<1, block>>>(in, shorts);
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int i = 0; i < 96; ++i) CHECK_EQ(shorts[i], (unsigned short)in[i]);
    for (int i = 0; i < 96; ++i) CHECK_EQ(shorts[96 + i], (unsigned short)(in[i] >> 1));
  }
  return check_report();
}

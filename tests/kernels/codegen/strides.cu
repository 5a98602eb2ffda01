// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One memory read by one index as numbers of several sizes. On a GPU in[i] was taken for the first number of in4[i].
// RUN: %mcc -O3 %s -o %t && %run %t
// covers: C-5.4.2.3-01
#include "check.h"

constexpr int kThreads = 256;

__host__ __device__ unsigned mix(const int *in, int t, int n) {
  const int4 *in4 = (const int4 *)in;
  const int2 *in2 = (const int2 *)in;
  unsigned acc = 0;
  for (int i = 0; i < n; i++) {
    const int shared = (in4[t].y ^ in4[t].x) + in2[t + 3].x;
    for (int k = 0; k < (in[t] & 15); k++) acc = (acc * 5u) ^ (unsigned)(shared + k);
    acc += (unsigned)in4[t].w / ((unsigned)(in[t] & 1023) + 1u) + (unsigned)((const short *)in)[t + 3];
  }
  return acc;
}

__global__ void mix_kernel(const int *in, unsigned *out, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = mix(in, t, n);
}

int main() {
  int *in;
  unsigned *out, seed = 12345;
  CHECK_CUDA(cudaMallocManaged(&in, 4 * (kThreads + 3) * sizeof *in));
  CHECK_CUDA(cudaMallocManaged(&out, kThreads * sizeof *out));
  for (int i = 0; i < 4 * (kThreads + 3); i++) {
    seed = seed * 1664525u + 1013904223u;
    in[i] = (int)(seed >> 8);
  }
  mix_kernel<<<2, kThreads / 2>>>(in, out, 5);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < kThreads; t++) CHECK_EQ(out[t], mix(in, t, 5));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs tell the compiler: restrict, assumptions, expectations, alignment, purity; and pragmas that change no value.
// RUN: %mcc -std=c++17 -O3 -Werror all-warnings %s -o %t && %run %t
// RUN: %mcc -std=c++17 -O0 %s -o %t && %run %t
// covers: C-5.4.1.4-01 C-5.4.9.2-01 C-5.4.7.4-01 C-5.4.9.7-01 C-5.4.9.8-01
#include "check.h"

#include <cuda_runtime.h>

__nv_pure__ __host__ __device__ int pure(int x) { return x * x; }

__global__ void restricted(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, const int *__restrict index,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[index[i]] * b[i] + a[i];
  }
}
// Without the promise the order of reads and writes is kept.
__global__ void overlapping(int *a, int *b) {
  int first = a[threadIdx.x];
  b[threadIdx.x] = first + 1;
  a[threadIdx.x + 32] = a[threadIdx.x] * 10;
}
struct View {
  float *__restrict__ data;
  __device__ float get(int i) const { return data[i]; }
};

__device__ int chosen(int x) {
  if (__builtin_expect(x > 100, 0)) {
    return 1;
  }
  switch (x & 3) {
  case 0:
    return 10;
  case 1:
    return 11;
  case 2:
    return 12;
  case 3:
    return 13;
  }
  __builtin_unreachable();
}

#pragma nv_abi preserve_n_data(8) preserve_n_control(4)
__device__ int with_convention(int x) { return x + 5; }

__global__ void hints(const int *p, int *out, int n) {
  __builtin_assume(n > 0);
  __builtin_assume(n % 4 == 0);
  const int *q = static_cast<const int *>(__builtin_assume_aligned(p, 64));
  const int *shifted = static_cast<const int *>(__builtin_assume_aligned(p + 1, 64, 4));
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += q[i];
  }
  int values[12];
  int *o = values;
  *o++ = sum;
  *o++ = shifted[0];
  *o++ = chosen(threadIdx.x);
  *o++ = chosen(threadIdx.x + 101);
  *o++ = pure(threadIdx.x) + pure(threadIdx.x);
  *o++ = __builtin_constant_p(3 * 4) ? 12 : -1;
  int twice = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    twice += __builtin_constant_p(i) ? i * 2 : i * 2;
  }
  *o++ = twice;
  *o++ = __builtin_expect_with_probability(threadIdx.x == 3, 1, 0.25) ? 1 : 0;
  *o++ = with_convention(threadIdx.x);
#pragma nv_mma_throughput
  for (int i = 0; i < 1; ++i) {
    *o++ = i + 9;
  }
  __builtin_prefetch(p);
  *o++ = __builtin_popcount(threadIdx.x) + __builtin_clz(1);
  *o++ = __builtin_bswap32(threadIdx.x);
  for (int k = 0; k < 12; ++k) {
    out[12 * threadIdx.x + k] = values[k];
  }
}

int main() {
  float *a;
  int *index;
  CHECK_CUDA(cudaMallocManaged(&a, 300 * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&index, 100 * sizeof(int)));
  for (int i = 0; i < 100; ++i) {
    a[i] = i;
    a[100 + i] = 0.5f * i;
    a[200 + i] = 0;
    index[i] = 7 * i % 100;
  }
  restricted<<<2, 64>>>(a, a + 100, a + 200, index, 100);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) {
    CHECK_EQ(a[200 + i], (7 * i % 100) * (0.5f * i) + i);
  }
  int *p, *out;
  CHECK_CUDA(cudaMallocManaged(&p, 256));
  CHECK_CUDA(cudaMallocManaged(&out, 12 * 32 * sizeof(int)));
  for (int i = 0; i < 64; ++i) {
    p[i] = i;
  }
  overlapping<<<1, 32>>>(p, p);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(p[i], i + 1);
    CHECK_EQ(p[i + 32], 10 * (i + 1));
  }
  for (int i = 0; i < 64; ++i) {
    p[i] = i;
  }
  hints<<<1, 32>>>(p, out, 16);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int t = 0; t < 32; ++t) {
    const int expected[12] = {120, 1, 10 + t % 4, 1, 2 * t * t, 12, 12, t == 3, t + 5, 9, __builtin_popcount(t) + 31, t << 24};
    for (int k = 0; k < 12; ++k) {
      CHECK_EQ(out[12 * t + k], expected[k]);
    }
  }
  return check_report();
}

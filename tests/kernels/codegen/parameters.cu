// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of all kinds: structs by value that a thread changes for itself, __grid_constant__, bool, small and wide types.
// covers: C-5.4.1.5-01 C-2.1.8-01
// RUN: %mcc %s -o %t && %run %t
// RUN: %mcc -G %s -o %t && %run %t
#include <cuda_runtime.h>

#include "check.h"

struct Big {
  int a[64];
};
struct alignas(32) Aligned {
  double d[4];
};

__global__ void change(Big big, int *out) {
  big.a[threadIdx.x] += 1;
  int sum = 0;
  for (int value : big.a) {
    sum += value;
  }
  out[threadIdx.x] = sum;
}

__global__ void read(const __grid_constant__ Big big, int *out) {
  const int *p = big.a;
  int sum = 0;
  for (int i = 0; i < 64; ++i) {
    sum += p[(i + threadIdx.x) & 63];
  }
  out[threadIdx.x] = sum;
}

__global__ void kinds(bool b, char c, short s, unsigned char u, long long l, float f, double d, Aligned a, float4 v,
                      unsigned __int128 w, double *out) {
  out[0] = b;
  out[1] = c;
  out[2] = s;
  out[3] = u;
  out[4] = l;
  out[5] = f;
  out[6] = d;
  out[7] = a.d[3];
  out[8] = v.w;
  out[9] = (double)(unsigned long long)(w >> 64);
  out[10] = ((unsigned long long)&a) % 32;
}

int main() {
  int *out;
  double *numbers;
  REQUIRE_CUDA(cudaMallocManaged(&out, 64 * sizeof(int)));
  REQUIRE_CUDA(cudaMallocManaged(&numbers, 16 * sizeof(double)));
  Big big;
  for (int i = 0; i < 64; ++i) {
    big.a[i] = i;
  }
  change<<<1, 64>>>(big, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    CHECK_EQ(out[i], 2017);
  }
  read<<<1, 64>>>(big, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[9], 2016);
  Aligned aligned = {{1, 2, 3, 4}};
  kinds<<<1, 1>>>(true, -3, -300, 200, -5000000000ll, 1.5f, 2.5, aligned, make_float4(1, 2, 3, 4),
                  (unsigned __int128)7 << 64, numbers);
  CHECK_CUDA(cudaDeviceSynchronize());
  const double expected[] = {1, -3, -300, 200, -5e9, 1.5, 2.5, 4, 4, 7, 0};
  for (int i = 0; i < 11; ++i) {
    CHECK_EQ(numbers[i], expected[i]);
  }
  return check_report();
}

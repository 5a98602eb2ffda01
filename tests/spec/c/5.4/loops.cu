// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolling in all its spellings, and functions that stay functions: the values are the loops'.
// RUN: %mcc -std=c++17 -O3 %s -o %t 2>%t.messages && %run %t && %FileCheck %s <%t.messages
// RUN: %mcc -std=c++17 -O3 -simt-ir %s -o - 2>/dev/null | %FileCheck --check-prefix=IR %s
// covers: C-5.4.9.1-01 B-4-02
#include "check.h"

#include <cuda_runtime.h>

constexpr int kFactor = 4;
template <int kCount> __device__ int by_template(const int *p) {
  int sum = 0;
#pragma unroll kCount
  for (int i = 0; i < 12; ++i) {
    sum += p[i] * i;
  }
  return sum;
}
template <int kCount> __device__ int nonsense(const int *p) {
  int sum = 0;
  // CHECK-DAG: loops.cu:[[@LINE+1]]:{{[0-9]+}}: warning: the loop is not unrolled: the count is negative or too large
#pragma unroll kCount - 100
  for (int i = 0; i < 12; ++i) {
    sum += p[i] * i;
  }
  return sum;
}
// IR: define {{.*}}outlined{{.*}} #[[attributes:[0-9]+]]
__noinline__ __device__ int outlined(int x, int n) {
  int product = 1;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    product *= x;
  }
  return product;
}

__global__ void kernel(const int *p, int *out, int n) {
  int sums[10] = {};
#pragma unroll
  for (int i = 0; i < 12; ++i) {
    sums[0] += p[i] * i;
  }
#pragma unroll 5
  for (int i = 0; i < n; ++i) {
    sums[1] += p[i] * i;
  }
#pragma unroll(kFactor * 2)
  for (int i = 0; i < n; ++i) {
    sums[2] += p[i] * i;
  }
#pragma unroll 0
  for (int i = 0; i < n; ++i) {
    sums[3] += p[i] * i;
  }
#pragma unroll 1
  for (int i = 0; i < 12; ++i) {
    sums[4] += p[i] * i;
  }
  // CHECK-DAG: loops.cu:[[@LINE+1]]:{{[0-9]+}}: warning: the loop is not unrolled: the count is negative or too large
#pragma unroll -3
  for (int i = 0; i < n; ++i) {
    sums[5] += p[i] * i;
  }
#pragma unroll
  for (int i = 0; i < n; i++) {
    if (p[i] < 0) {
      continue;
    }
    sums[6] += p[i] * i;
    if (i == threadIdx.x + 11) {
      break;
    }
  }
  sums[7] = by_template<3>(p);
  sums[8] = nonsense<2>(p);
  sums[9] = outlined(3, threadIdx.x % 4);
  for (int k = 0; k < 10; ++k) {
    out[threadIdx.x * 10 + k] = sums[k];
  }
}
// IR: attributes #[[attributes]] = {{.*}}noinline

int main() {
  int *p, *out;
  CHECK_CUDA(cudaMallocManaged(&p, 12 * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, 320 * sizeof(int)));
  int expected = 0;
  for (int i = 0; i < 12; ++i) {
    p[i] = 7 * i % 5;
    expected += p[i] * i;
  }
  kernel<<<1, 32>>>(p, out, 12);
  CHECK_CUDA(cudaDeviceSynchronize());
  const int powers[] = {1, 3, 9, 27};
  for (int t = 0; t < 32; ++t) {
    for (int k = 0; k < 9; ++k) {
      CHECK_EQ(out[10 * t + k], expected);
    }
    CHECK_EQ(out[10 * t + 9], powers[t % 4]);
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraint "C": a constant string becomes part of the text, also one that a template parameter chooses.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: not %mcc -std=c++17 -DWRONG -c %s -o %t.o 2>&1 | %FileCheck %s
// covers: C-3.2.1-01
#include "check.h"

#include <cuda_runtime.h>

template <int kOperation> struct Operation {
  static constexpr char name[] = "add";
};
template <> struct Operation<1> {
  static constexpr char name[] = "sub";
};

template <int kOperation> __device__ int apply(int a, int b) {
  int result;
  asm("%1.s32 %0, %2, %3;" : "=r"(result) : "C"(Operation<kOperation>::name), "r"(a), "r"(b));
  return result;
}

constexpr char multiply[] = {'m', 'u', 'l', '.', 'l', 'o', 0};
constexpr char type[] = "s32";
__device__ int by_name(int a, int b) {
  int result;
  asm volatile("{\n\t.reg .u32 lane; mov.u32 lane, %laneid;\n\t%[op].%[type] %0, %1, %3;\n\tadd.u32 %0, %0, lane; }"
               : "=r"(result)
               : "r"(a), [op] "C"(multiply), "r"(b), [type] "C"(type));
  return result;
}
#ifdef WRONG
__device__ void not_constant(const char *text) {
  // CHECK: constant_strings.cu:[[@LINE+1]]:{{[0-9]+}}: error: the operand of constraint "C" must be a constant array of characters
  asm volatile("%0;" ::"C"(text));
}
#endif

__global__ void kernel(int *out) {
  out[3 * threadIdx.x] = apply<0>(7, 3);
  out[3 * threadIdx.x + 1] = apply<1>(7, 3);
  out[3 * threadIdx.x + 2] = by_name(7, 3);
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 1024));
  kernel<<<1, 32>>>(out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(out[3 * i], 10);
    CHECK_EQ(out[3 * i + 1], 4);
    CHECK_EQ(out[3 * i + 2], 21 + i);
  }
  return check_report();
}

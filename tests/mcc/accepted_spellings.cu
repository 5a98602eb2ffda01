// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc accepts although it is no C++: launches with blanks in their brackets, literals glued to attributes, `register`,
// and a C++ library that uses a name which CUDA defines.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.2-01
#include <cinttypes>
#include <cstdio>
#include <memory>

#include "check.h"

extern "C"__global__ void set(int *p, int x) { *p = x; }
template <typename T> __global__ void add(T *p, T x) { *p += x; }
__noinline__ __device__ int twice(int x) { return 2 * x; }
__global__ void doubled(int *p) { *p = twice(*p); }

int main() {
  register int value = 20;
  int *p = nullptr;
  CHECK_CUDA(cudaMalloc(&p, sizeof(int)));
  set << <1, 1 >> > (p, value);
  add<int> <<<dim3(1), 1 >> >(p, 1);
  doubled<<<1, 1>>>(p);
  auto result = std::make_shared<int>(0);
  CHECK_CUDA(cudaMemcpy(result.get(), p, sizeof(int), cudaMemcpyDeviceToHost));
  printf("%"PRId64"\n", static_cast<int64_t>(*result));
  CHECK_EQ(*result, 42);
  return check_report();
}

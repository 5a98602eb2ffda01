// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros by which sources ask what the compiler was told and can do.
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// RUN: %mcc -std=c++17 --extended-lambda --expt-relaxed-constexpr -G -DALL %s -o %t && %run %t
// RUN: %mcc -std=c++17 -rdc=true -DRDC %s -o %t && %run %t
// covers: C-5.4.7.3-01 C-5.4.10.2-01
#include "check.h"

#include <cuda_runtime.h>

#if !defined(__CUDACC__) || !defined(__NVCC__) && !defined(__clang__)
#error "not a CUDA compiler?"
#endif
#if __CUDACC_VER_MAJOR__ < 12 || !defined(__CUDACC_VER_MINOR__) || !defined(__CUDACC_VER_BUILD__)
#error "version"
#endif
#ifdef ALL
#if !defined(__CUDACC_EXTENDED_LAMBDA__) || !defined(__CUDACC_RELAXED_CONSTEXPR__) || !defined(__CUDACC_DEBUG__)
#error "options that were given"
#endif
#else
#if defined(__CUDACC_EXTENDED_LAMBDA__) || defined(__CUDACC_RELAXED_CONSTEXPR__) || defined(__CUDACC_DEBUG__)
#error "options that were not given"
#endif
#endif
#if defined(RDC) != defined(__CUDACC_RDC__)
#error "relocatable"
#endif
#ifndef __CUDACC_DEVICE_ATOMIC_BUILTINS__
#error "atomics"
#endif
#ifndef __NVCC_DIAG_PRAGMA_SUPPORT__
#error "pragmas"
#endif
#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ < 500 || !defined(__CUDA_ARCH_LIST__)
#error "architecture"
#endif
#endif

__global__ void kernel(int *out, bool stops) {
#ifdef __CUDA_MINIMUM_ARCH__
  out[0] = __CUDA_MINIMUM_ARCH__;
#else
  out[0] = -1;
#endif
#ifdef __CUDA_ARCH__
  out[1] = __CUDA_ARCH__;
#endif
  if (stops) {
    __brkpt();
  }
  out[2] = 5;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMallocManaged(&out, 3 * sizeof(int)));
  kernel<<<1, 1>>>(out, false);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(out[2], 5);
  CHECK(out[1] >= 500);
  CHECK(out[0] == -1 || out[0] <= out[1]);
  return check_report();
}

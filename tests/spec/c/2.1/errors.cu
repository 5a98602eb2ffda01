// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error codes, names and strings; wrong launch configurations run nothing and are told by the last error alone.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.7-01 C-2.1.7-02 C-5.4.3-01 B-3-04
#include <cstring>

#include "check.h"

__managed__ int runs;
__global__ void count() { atomicAdd(&runs, 1); }
__global__ void __launch_bounds__(64) bounded() { atomicAdd(&runs, 1); }
__global__ void shared_user() {
  extern __shared__ int room[];
  room[threadIdx.x] = 1;
  atomicAdd(&runs, room[threadIdx.x]);
}

static void expect_refused(cudaError_t expected) {
  CHECK_ERROR(cudaPeekAtLastError(), expected);
  CHECK_ERROR(cudaGetLastError(), expected);
  CHECK_CUDA(cudaDeviceSynchronize());
}

int main() {
  CHECK_EQ((int)cudaSuccess, 0);
  CHECK_EQ(std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation"), 0);
  CHECK_EQ(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument"), 0);
  CHECK_EQ(std::strcmp(cudaGetErrorName(static_cast<cudaError_t>(-5)), "unrecognized error code"), 0);

  count<<<8192, 4096>>>();
  expect_refused(cudaErrorInvalidValue);
  count<<<1, 1025>>>();
  expect_refused(cudaErrorInvalidValue);
  count<<<1, dim3(1, 1, 65)>>>();
  expect_refused(cudaErrorInvalidValue);
  count<<<dim3(1, 65536), 1>>>();
  expect_refused(cudaErrorInvalidValue);
  count<<<0, 1>>>();
  expect_refused(cudaErrorInvalidValue);
  count<<<1, 0>>>();
  expect_refused(cudaErrorInvalidValue);
  count<<<1, 1, 1 << 30>>>();
  expect_refused(cudaErrorInvalidValue);
  shared_user<<<1, 1, 49 * 1024>>>();  // more than 48 KiB needs an opt-in
  expect_refused(cudaErrorInvalidValue);
  bounded<<<1, 65>>>();
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(runs, 0);

  count<<<2, 1024>>>();
  bounded<<<1, 64>>>();
  shared_user<<<1, 32, 48 * 1024>>>();
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(runs, 2048 + 64 + 32);
  return check_report();
}

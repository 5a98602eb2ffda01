// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of printf and assert in kernels, and of what is left after a fault.
// report: CHIP-SPV/chipStar#1122
// report: printf output incomplete for many threads (StackOverflow)
// report: pytorch/pytorch#38944
// report: pytorch/pytorch#39157
// report: StackOverflow 31642520 (What is left on the device after a crashed kernel?)
// report: NVIDIA/thrust#1020
// RUN: %mcc -O2 -std=c++17 %s -o %t && %run %t lines > %t.lines && %python %S/Inputs/whole_lines.py %t.lines
// RUN: %run %t assert 2>&1 | %FileCheck %s
// RUN: %mcc -O2 -std=c++17 -DNDEBUG %s -o %t && %run %t assert_off
#include "check.h"

#include <assert.h>

#include <string>

constexpr int kThreads = 20'000;

__device__ const char *color(int i) {
  const char *const colors[] = {"red", "green", "blue"};
  return colors[i % 3];
}
__global__ void lines(int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kThreads && printf("thread %d of %s is %s%c\n", i, "many", color(i), '.') != 4) {
    atomicAdd(wrong, 1);
  }
}
/// As many arguments as printf takes.
__global__ void long_line(int *count) {
  *count = printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %s\n", 1, 2, 3, 4,
                  5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, "end");
}

static int print_lines() {
  size_t bytes = 0;
  CHECK_CUDA(cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize));
  CHECK_EQ(bytes, size_t{1} << 20);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 16 << 20));
  int *counts = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&counts, 2 * sizeof(int)));
  counts[0] = counts[1] = 0;
  lines<<<(kThreads + 255) / 256, 256>>>(counts);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(counts[0], 0);
  long_line<<<1, 1>>>(counts + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(counts[1], 32);
  return check_report();
}

__global__ void check_index(int limit, int *reached) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  *reached = 1;
  assert(i < limit && "index out of range");
}

static int fail_in_kernel() {
  int *reached = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&reached, sizeof(int)));
  check_index<<<dim3(1, 2, 1), dim3(1, 4, 1)>>>(7, reached);
  // CHECK: {{.*}}output.cu:[[#@LINE-7]]: {{.*}}check_index(int, int *): block: [0,1,0], thread: [0,3,0] Assertion `i < limit && "index out of range"` failed.
  CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorAssert);
  for (int i = 0; i < 3; i++) {  // it is not taken away by asking
    CHECK_ERROR(cudaGetLastError(), cudaErrorAssert);
    CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorAssert);
  }
  void *p = nullptr;
  CHECK_ERROR(cudaMalloc(&p, 4), cudaErrorAssert);
  CHECK_ERROR(cudaMemset(reached, 0, 4), cudaErrorAssert);
  check_index<<<1, 1>>>(7, reached);
  CHECK_ERROR(cudaPeekAtLastError(), cudaErrorAssert);
  return check_report();  // and the process ends as it should
}
// CHECK: passed

static int pass_in_kernel() {
  int *reached = nullptr;
  REQUIRE_CUDA(cudaMallocManaged(&reached, sizeof(int)));
  *reached = 0;
  check_index<<<1, dim3(1, 4, 1)>>>(-1, reached);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(*reached, 1);
  return check_report();
}

int main(int, char **arguments) {
  const std::string what = arguments[1];
  return what == "lines" ? print_lines() : what == "assert" ? fail_in_kernel() : pass_in_kernel();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eager initialisation, the reset, calls that need no initialisation, and calls from constructors and destructors of globals.
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.6-01 C-2.1.6-02 C-2.1.6-03 C-2.3.3.1-01
#include "check.h"

struct Early {
  void *memory = nullptr;
  cudaError_t allocated = cudaMalloc(&memory, 100);
  ~Early() {
    cudaError_t freed = cudaFree(memory);
    if (freed != cudaSuccess && freed != cudaErrorCudartUnloading && freed != cudaErrorContextIsDestroyed &&
        freed != cudaErrorInvalidValue) {
      fprintf(stderr, "a destructor's cudaFree gave %s\n", cudaGetErrorName(freed));
      _Exit(1);
    }
  }
};
static Early early;

__device__ int cell = 3;

int main() {
  CHECK_CUDA(early.allocated);
  CHECK_CUDA(cudaInitDevice(0, cudaDeviceScheduleAuto, 0));
  int runtime = 0, driver = 0;
  CHECK_CUDA(cudaRuntimeGetVersion(&runtime));
  CHECK_CUDA(cudaDriverGetVersion(&driver));
  CHECK(runtime >= 12000 && driver >= runtime);
  CHECK_CUDA(cudaSetDevice(0));
  int *memory = nullptr, value = 9;
  CHECK_CUDA(cudaMalloc(&memory, sizeof(int)));
  CHECK_CUDA(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpyToSymbol(cell, &value, sizeof value));
  CHECK_CUDA(cudaDeviceReset());
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, cell, sizeof value));
  CHECK_EQ(value, 3);
  early.memory = nullptr;
  CHECK_ERROR(cudaInitDevice(77, 0, 0), cudaErrorInvalidDevice);
  return check_report();
}

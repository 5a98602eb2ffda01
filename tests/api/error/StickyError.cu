// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault in a kernel is reported by every later call until the device is reset.
// gpu: no (a fault stays with the vendor's driver until the process ends)
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

__global__ void fault() { *reinterpret_cast<volatile int *>(0x10) = 1; }

int main() {
  fault<<<1, 1>>>();
  CHECK_CUDA(cudaGetLastError());
  CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  void *p = nullptr;
  CHECK_ERROR(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
  CHECK_ERROR(cudaFree(nullptr), cudaErrorIllegalAddress);
  cudaFuncAttributes attributes;
  CHECK_ERROR(cudaFuncGetAttributes(&attributes, fault), cudaErrorIllegalAddress);
  CHECK_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
  CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_CUDA(cudaDeviceReset());
  cudaGetLastError();
  CHECK_CUDA(cudaMalloc(&p, 4));
  CHECK_CUDA(cudaFree(p));
  CHECK_CUDA(cudaGetLastError());
  return check_report();
}

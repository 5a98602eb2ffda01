// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits, flags, cache preferences and bus ids of a device.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  size_t value = 0;
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
  CHECK_CUDA(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize));
  CHECK_EQ(value, size_t{1} << 20);
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  CHECK_CUDA(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  CHECK(value >= size_t{16} << 20);
  CHECK_CUDA(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  CHECK(value > 0);
  CHECK_ERROR(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);

  CHECK_CUDA(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  unsigned flags = 0;
  CHECK_CUDA(cudaGetDeviceFlags(&flags));
  CHECK_EQ(flags & cudaDeviceScheduleMask, unsigned{cudaDeviceScheduleYield});
  CHECK_ERROR(cudaSetDeviceFlags(0xffff), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDeviceFlags(nullptr), cudaErrorInvalidValue);

  CHECK_CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  cudaFuncCache config{};
  CHECK_CUDA(cudaDeviceGetCacheConfig(&config));
  CHECK_ERROR(cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(9)), cudaErrorInvalidValue);

  char id[32] = {};
  int device = -1;
  CHECK_CUDA(cudaDeviceGetPCIBusId(id, sizeof id, 0));
  CHECK_CUDA(cudaDeviceGetByPCIBusId(&device, id));
  CHECK_EQ(device, 0);
  CHECK_ERROR(cudaDeviceGetByPCIBusId(&device, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetPCIBusId(nullptr, 32, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetPCIBusId(id, sizeof id, 99), cudaErrorInvalidDevice);
  return check_report();
}

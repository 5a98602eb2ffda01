// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Null results, devices that do not exist, symbols and functions that are none.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t && %run %t
// covers: C-2.1.7-01 C-3.4-01
#include "check.h"

__device__ int variable;
static int host_variable;
__global__ void kernel() {}

int main() {
  int value = 0;
  size_t size = 0;
  void *address = nullptr;
  cudaDeviceProp properties{};
  cudaFuncAttributes attributes{};
  CHECK_ERROR(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDevice(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDeviceProperties(&properties, 99), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaGetDeviceProperties(&properties, -1), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)100000, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaSetDevice(99), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetLimit(&size, (cudaLimit)1000), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceSetLimit((cudaLimit)1000, 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMemGetInfo(&size, &size));

  CHECK_ERROR(cudaGetSymbolAddress(nullptr, variable), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetSymbolAddress(&address, host_variable), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaGetSymbolSize(&size, host_variable), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaMemcpyToSymbol(host_variable, &value, sizeof value), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, &value, sizeof value, 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFuncGetAttributes(nullptr, kernel), cudaErrorInvalidValue);
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)main) != cudaSuccess);
  CHECK_ERROR(cudaFuncSetAttribute(kernel, (cudaFuncAttribute)999, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 32, 0), cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, (const void *)main, 32, 0) != cudaSuccess);
  CHECK_ERROR(cudaPeekAtLastError(), cudaGetLastError());
  kernel<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaGetDeviceProperties, cudaDeviceGetAttribute, cudaChooseDevice.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  cudaDeviceProp prop{};
  REQUIRE_CUDA(cudaGetDeviceProperties(&prop, 0));
  CHECK(prop.name[0] != 0);
  CHECK_EQ(prop.warpSize, 32);
  CHECK_EQ(prop.maxThreadsPerBlock, 1024);
  CHECK(prop.totalGlobalMem > 0);
  CHECK(prop.multiProcessorCount > 0);
  CHECK(prop.major >= 1);
  CHECK(prop.sharedMemPerBlock >= 48 * 1024);
  CHECK_EQ(prop.maxGridSize[0], 0x7fffffff);
  int value = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  CHECK_EQ(value, prop.multiProcessorCount);
  CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimZ, 0));
  CHECK_EQ(value, prop.maxThreadsDim[2]);
  CHECK_ERROR(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 99), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDeviceProperties(&prop, 99), cudaErrorInvalidDevice);
  int device = -1;
  CHECK_CUDA(cudaChooseDevice(&device, &prop));
  CHECK_EQ(device, 0);
  CHECK_ERROR(cudaChooseDevice(nullptr, &prop), cudaErrorInvalidValue);
  CHECK_ERROR(cudaChooseDevice(&device, nullptr), cudaErrorInvalidValue);
  return check_report();
}

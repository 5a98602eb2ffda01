// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaGetDeviceCount, cudaSetDevice, cudaGetDevice: several devices, and devices that are not there.
// RUN: %mcc %s -o %t && env HELICON_CPU_DEVICES=3 %run %t
#include "check.h"

#include <cuda_runtime_api.h>

#include <thread>

int main() {
  int count = 0, device = -1;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK_EQ(count, 3);
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_CUDA(cudaSetDevice(2));
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_EQ(device, 2);
  void *p = nullptr;
  CHECK_CUDA(cudaMalloc(&p, 16));
  cudaPointerAttributes attributes{};
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, p));
  CHECK_EQ(attributes.device, 2);
  CHECK_CUDA(cudaFree(p));
  CHECK_ERROR(cudaSetDevice(3), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaGetDevice(&device));
  CHECK_EQ(device, 2);
  CHECK_ERROR(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDevice(nullptr), cudaErrorInvalidValue);
  // Each thread has a device of its own.
  int other = -1;
  std::thread([&] { cudaGetDevice(&other); }).join();
  CHECK_EQ(other, 0);
  return check_report();
}

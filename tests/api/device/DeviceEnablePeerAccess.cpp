// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Peer access, and copies between devices.
// RUN: %mcc %s -o %t && env HELICON_CPU_DEVICES=2 %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  int can = -1;
  CHECK_CUDA(cudaDeviceCanAccessPeer(&can, 0, 1));
  CHECK_EQ(can, 1);
  CHECK_CUDA(cudaDeviceCanAccessPeer(&can, 0, 0));
  CHECK_EQ(can, 0);
  CHECK_ERROR(cudaDeviceCanAccessPeer(nullptr, 0, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceCanAccessPeer(&can, 0, 9), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaDeviceEnablePeerAccess(1, 0));
  CHECK_ERROR(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  CHECK_ERROR(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  CHECK_ERROR(cudaDeviceEnablePeerAccess(1, 5), cudaErrorInvalidValue);
  CHECK_CUDA(cudaDeviceDisablePeerAccess(1));
  CHECK_ERROR(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);

  int *here = nullptr, *there = nullptr;
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&here), 64));
  REQUIRE_CUDA(cudaSetDevice(1));
  REQUIRE_CUDA(cudaMalloc(reinterpret_cast<void **>(&there), 64));
  CHECK_CUDA(cudaMemset(there, 3, 64));
  CHECK_CUDA(cudaMemcpyPeer(here, 0, there, 1, 64));
  int value = 0;
  CHECK_CUDA(cudaMemcpy(&value, here + 15, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 0x03030303);
  CHECK_ERROR(cudaMemcpyPeer(here, 0, there, 9, 64), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaFree(here));
  CHECK_CUDA(cudaFree(there));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaDeviceGetHostAtomicCapabilities, cudaDeviceGetP2PAtomicCapabilities.
// RUN: %mcc -std=c++17 %s -o %t && env HELICON_CPU_DEVICES=2 %run %t
#include <cuda_runtime_api.h>

#include "check.h"

int main() {
  const cudaAtomicOperation asked[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationFloatAdd,
                                       cudaAtomicOperationCAS};
  unsigned host[3] = {}, peer[3] = {};
  CHECK_CUDA(cudaDeviceGetHostAtomicCapabilities(host, asked, 3, 0));
  const unsigned both = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
  for (unsigned capability : host) {
    CHECK_EQ(capability & both, both);
  }
  CHECK((host[0] & cudaAtomicCapabilitySigned) != 0);
  CHECK_CUDA(cudaDeviceGetP2PAtomicCapabilities(peer, asked, 3, 0, 1));
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(peer[i], host[i]);
  }
  const auto unknown = (cudaAtomicOperation)99;
  CHECK_ERROR(cudaDeviceGetHostAtomicCapabilities(host, &unknown, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetHostAtomicCapabilities(host, asked, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetHostAtomicCapabilities(nullptr, asked, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetHostAtomicCapabilities(host, nullptr, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetHostAtomicCapabilities(host, asked, 1, 2), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceGetP2PAtomicCapabilities(peer, asked, 3, 1, 1), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceGetP2PAtomicCapabilities(peer, asked, 3, 0, -1), cudaErrorInvalidDevice);
  return check_report();
}

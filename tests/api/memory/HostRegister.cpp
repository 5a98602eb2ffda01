// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaHostRegister, cudaHostUnregister: memory that the program allocated itself becomes page-locked.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  static char memory[8192];
  CHECK_CUDA(cudaHostRegister(memory, sizeof memory, cudaHostRegisterDefault));
  cudaPointerAttributes attributes{};
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, memory + 100));
  CHECK_EQ(attributes.type, cudaMemoryTypeHost);
  CHECK_ERROR(cudaHostRegister(memory, sizeof memory, 0), cudaErrorHostMemoryAlreadyRegistered);
  CHECK_CUDA(cudaHostUnregister(memory));
  CHECK_ERROR(cudaHostUnregister(memory), cudaErrorHostMemoryNotRegistered);
  CHECK_ERROR(cudaHostRegister(nullptr, 64, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostRegister(memory, 0, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, memory));
  CHECK_EQ(attributes.type, cudaMemoryTypeUnregistered);
  return check_report();
}

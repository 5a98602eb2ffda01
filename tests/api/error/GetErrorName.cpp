// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaGetErrorName, cudaGetErrorString and the same in the other spelling.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda_runtime_api.h>

#include <musa_runtime_api.h>
#include <string.h>

int main() {
  CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  CHECK(strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
  CHECK(strcmp(musaGetErrorName(musaErrorMemoryAllocation), "musaErrorMemoryAllocation") == 0);
  CHECK(strstr(musaGetErrorString(musaErrorInvalidValue), "cuda") == nullptr);
  CHECK(cudaGetErrorString(cudaErrorInvalidValue)[0] != 0);
  CHECK(strcmp(cudaGetErrorName(static_cast<cudaError_t>(123456)), "unrecognized error code") == 0);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaGetSymbolAddress, cudaGetSymbolSize.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-05
#include "check.h"

__device__ int table[10] = {0, 11, 22, 33};

int main() {
  int *address = nullptr;
  size_t bytes = 0;
  CHECK_CUDA(cudaGetSymbolAddress(reinterpret_cast<void **>(&address), table));
  CHECK_CUDA(cudaGetSymbolSize(&bytes, table));
  CHECK_EQ(bytes, sizeof(int) * 10);
  int third = 0;
  CHECK_CUDA(cudaMemcpy(&third, address + 3, sizeof third, cudaMemcpyDeviceToHost));
  CHECK_EQ(third, 33);
  int host = 0;
  CHECK_ERROR(cudaGetSymbolSize(&bytes, host), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaGetSymbolAddress(nullptr, table), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetSymbolSize(nullptr, table), cudaErrorInvalidValue);
  return check_report();
}

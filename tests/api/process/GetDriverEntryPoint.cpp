// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaGetDriverEntryPointByVersion and versions.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

int main() {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult status{};
  CHECK_CUDA(cudaGetDriverEntryPointByVersion("cuDriverGetVersion", &function, 12000, cudaEnableDefault, &status));
  CHECK_EQ(status, cudaDriverEntryPointSuccess);
  int version = 0;
  CHECK_CU(reinterpret_cast<CUresult (*)(int *)>(function)(&version));
  CHECK(version >= 13000);
  int same = 0;
  CHECK_CUDA(cudaDriverGetVersion(&same));
  CHECK_EQ(version, same);
  CHECK_CUDA(cudaRuntimeGetVersion(&same));
  CHECK_EQ(same, CUDART_VERSION);
  CHECK_CUDA(cudaGetDriverEntryPointByVersion("cuNoSuchThing", &function, 12000, cudaEnableDefault, &status));
  CHECK_EQ(status, cudaDriverEntryPointSymbolNotFound);
  CHECK(function == nullptr);
  CHECK_ERROR(cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, cudaEnableDefault, &status),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaDriverGetVersion(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
  return check_report();
}

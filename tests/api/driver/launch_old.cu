// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as they were before cuLaunchKernel: block shape, parameters by offset, cuLaunch, cuLaunchGrid.
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && %run %t
// covers: B-7-05
#include "check.h"

#include <cuda.h>

__global__ void store(int *out, int i, float f) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = i;
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = shared[threadIdx.x] + (int)f;
}

int main() {
  int *d, host[24];
  REQUIRE_CUDA(cudaMalloc(&d, sizeof(host)));
  CHECK_CUDA(cudaMemset(d, 0, sizeof(host)));
  cudaFunction_t f;
  REQUIRE_CUDA(cudaGetFuncBySymbol(&f, (void *)store));
  CUstream stream;
  CHECK_CU(cuStreamCreate(&stream, 0));
  CUdeviceptr p = (CUdeviceptr)d;
  CHECK_CU(cuFuncSetBlockShape(f, 4, 1, 1));
  CHECK_CU(cuFuncSetSharedSize(f, 16));
  CHECK_CU(cuParamSetv(f, 0, &p, sizeof(p)));
  CHECK_CU(cuParamSeti(f, 8, 100));
  CHECK_CU(cuParamSetf(f, 12, 7.5f));
  CHECK_CU(cuParamSetSize(f, 16));
  CHECK_CU(cuLaunchGrid(f, 3, 2));
  CHECK_CUDA(cudaMemcpy(host, d, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK(host[0] == 107 && host[23] == 107);
  // What was set stays set.
  CHECK_CU(cuParamSeti(f, 8, 1));
  CHECK_CU(cuLaunch(f));
  CHECK_CUDA(cudaMemcpy(host, d, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK(host[3] == 8 && host[4] == 107);
  CHECK_CU(cuLaunchGridAsync(f, 2, 1, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_CUDA(cudaMemcpy(host, d, sizeof(host), cudaMemcpyDeviceToHost));
  CHECK(host[7] == 8 && host[8] == 107);

  CHECK_OWN_ERROR(cuFuncSetBlockShape(f, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuFuncSetBlockShape(nullptr, 1, 1, 1), CUDA_ERROR_INVALID_HANDLE);
  CHECK_OWN_ERROR(cuLaunchGrid(f, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuParamSeti(f, -4, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuParamSetv(f, 0, nullptr, 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuParamSetSize(f, 1 << 20), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuParamSetSize(f, 8));
  CHECK_OWN_ERROR(cuLaunch(f), CUDA_ERROR_INVALID_VALUE);  // fewer parameters than the kernel has
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runtime and driver API in one program: the same context, pointers, streams and events in both.
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: C-3.3.4-01 C-1.3.2-01 M-3.2.17-04 B-7-08
#include <cuda.h>

#include "check.h"

__global__ void increment(int *values) { values[threadIdx.x] += 1; }

int main() {
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_CUDA(cudaFree(nullptr));
  CUcontext current, primary;
  CHECK_CU(cuCtxGetCurrent(&current));
  CHECK_CU(cuDevicePrimaryCtxRetain(&primary, 0));
  CHECK(current == primary);
  CHECK_CU(cuDevicePrimaryCtxRelease(0));

  int host[32] = {};
  CUdeviceptr by_driver;
  int *by_runtime = nullptr;
  CHECK_CU(cuMemAlloc(&by_driver, sizeof host));
  CHECK_CU(cuMemsetD32(by_driver, 5, 32));
  increment<<<1, 32>>>(reinterpret_cast<int *>(by_driver));
  CHECK_CUDA(cudaMemcpy(host, reinterpret_cast<int *>(by_driver), sizeof host, cudaMemcpyDeviceToHost));
  CHECK_EQ(host[31], 6);
  CHECK_CUDA(cudaFree(reinterpret_cast<void *>(by_driver)));

  CHECK_CUDA(cudaMalloc(&by_runtime, sizeof host));
  CUstream stream;
  cudaEvent_t event;
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_CU(cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(by_runtime), 7, 32, stream));
  increment<<<1, 32, 0, stream>>>(by_runtime);
  CHECK_CU(cuEventRecord(event, stream));
  CHECK_CUDA(cudaEventSynchronize(event));
  CHECK_CU(cuMemcpyDtoH(host, reinterpret_cast<CUdeviceptr>(by_runtime), sizeof host));
  CHECK_EQ(host[0], 8);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CU(cuEventDestroy(event));

  // A context of the driver API, made current, is the one that the runtime uses.
  CUcontext own;
  CHECK_CU(cuCtxCreate(&own, nullptr, 0, 0));
  int *in_own = nullptr;
  CHECK_CUDA(cudaMalloc(&in_own, sizeof host));
  CHECK_CUDA(cudaMemset(in_own, 0, sizeof host));
  increment<<<1, 32>>>(in_own);
  CHECK_CUDA(cudaMemcpy(host, in_own, sizeof host, cudaMemcpyDeviceToHost));
  CHECK_EQ(host[9], 1);
  CHECK_CUDA(cudaFree(in_own));
  CHECK_CU(cuCtxDestroy(own));
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_CUDA(cudaFree(by_runtime));
  return check_report();
}

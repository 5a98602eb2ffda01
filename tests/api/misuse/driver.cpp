// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API used wrongly: before cuInit, null results, stale and foreign handles, broken images, wrong launches.
// RUN: %mcc -cubin %source/tests/spec/c/3.3/Inputs/kernels.cu -o %t.cubin && %mcc %s -o %t -lcuda && %run %t %t.cubin
// covers: C-3.3-01
#include <cuda.h>

#include <cstring>

#include "check.h"

int main(int argc, char **argv) {
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CUdeviceptr memory = 0;
  CHECK_EQ(argc, 2);
  CHECK_OWN_ERROR(cuDeviceGet(&device, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_OWN_ERROR(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_ERROR(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuInit(0));
  CHECK_CU(cuInit(0));
  CHECK_ERROR(cuDeviceGet(&device, 55), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxCreate(&context, nullptr, 0, 55), CUDA_ERROR_INVALID_DEVICE);
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_ERROR(cuModuleLoad(&module, argv[1]), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, device));

  char garbage[4096];
  std::memset(garbage, 0x5a, sizeof garbage);
  CHECK_ERROR(cuModuleLoadData(&module, garbage), CUDA_ERROR_INVALID_IMAGE);
  CHECK_ERROR(cuModuleLoadData(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
  std::memcpy(garbage, "HLIMAGE1", 8);  // the right magic, then nonsense
  CHECK(cuModuleLoadData(&module, garbage) != CUDA_SUCCESS);
  CHECK_ERROR(cuModuleLoad(nullptr, argv[1]), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuModuleLoad(&module, argv[1]));
  CHECK_ERROR(cuModuleGetFunction(&function, nullptr, "vector_add"), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuModuleGetFunction(&function, module, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuModuleGetFunction(&function, module, "vector_add"));

  CHECK_CU(cuMemAlloc(&memory, 4096));
  int n = 16;
  void *parameters[] = {&memory, &memory, &memory, &n};
  CHECK_ERROR(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLaunchKernel(function, 1, 1, 1, 1025, 1, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLaunchKernel(function, 1, 1, 1, 64, 32, 1, 0, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 1 << 30, nullptr, parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
  size_t small = 3;
  char buffer[64] = {};
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &small, CU_LAUNCH_PARAM_END};
  CHECK(!check::is_own_driver() ||
        cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra) != CUDA_SUCCESS);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, extra) != CUDA_SUCCESS);
  CHECK_ERROR(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, (CUstream)buffer, parameters, nullptr), CUDA_ERROR_INVALID_HANDLE);

  CHECK_ERROR(cuMemFree(memory + 8), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemFree(memory));
  CHECK_ERROR(cuMemFree(memory), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuModuleUnload(module));
  CHECK(cuModuleUnload(module) != CUDA_SUCCESS);
  CHECK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) != CUDA_SUCCESS);
  CHECK_CU(cuCtxDestroy(context));
  CHECK(cuCtxDestroy(context) != CUDA_SUCCESS);
  CHECK(!check::is_own_driver() || cuCtxSetCurrent(context) != CUDA_SUCCESS);
  CHECK(cuGetErrorName((CUresult)12345, nullptr) != CUDA_SUCCESS);
  return check_report();
}

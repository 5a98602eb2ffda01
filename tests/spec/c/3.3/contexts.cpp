// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts: the stack of each thread, calls without one, the primary context and its count.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: C-3.3.1-01 M-3.2.17-01
#include <cuda.h>

#include <thread>

#include "check.h"

int main() {
  CUdevice device;
  CUcontext first, second, now;
  CUdeviceptr memory;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_CU(cuCtxGetCurrent(&now));
  CHECK(now == nullptr);
  CHECK_ERROR(cuMemAlloc(&memory, 100), CUDA_ERROR_INVALID_CONTEXT);

  CHECK_CU(cuCtxCreate(&first, nullptr, 0, device));
  CHECK_CU(cuCtxCreate(&second, nullptr, 0, device));
  CHECK_CU(cuCtxGetCurrent(&now));
  CHECK(now == second && first != second);
  CHECK_CU(cuCtxPopCurrent(&now));
  CHECK(now == second);
  CHECK_CU(cuCtxGetCurrent(&now));
  CHECK(now == first);
  CHECK_CU(cuMemAlloc(&memory, 100));
  std::thread([&] {
    CUcontext mine;
    CHECK_CU(cuCtxGetCurrent(&mine));
    CHECK(mine == nullptr);
    CHECK_CU(cuCtxPushCurrent(second));
    CHECK_CU(cuCtxGetCurrent(&mine));
    CHECK(mine == second);
    CHECK_CU(cuCtxPopCurrent(&mine));
    CHECK_ERROR(cuCtxPopCurrent(&mine), CUDA_ERROR_INVALID_CONTEXT);
  }).join();
  CUdevice of_context = -1;
  CHECK_CU(cuCtxGetDevice(&of_context));
  CHECK_EQ(of_context, device);
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuCtxDestroy(second));
  CHECK_CU(cuCtxDestroy(first));
  CHECK_CU(cuCtxGetCurrent(&now));
  CHECK(now == nullptr);
  CHECK(cuCtxPushCurrent(first) != CUDA_SUCCESS);  // stale: recognised, not followed

  CUcontext primary, again;
  unsigned flags = 0;
  int active = -1;
  CHECK_CU(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK_EQ(active, 0);
  CHECK_CU(cuDevicePrimaryCtxRetain(&primary, device));
  CHECK_CU(cuDevicePrimaryCtxRetain(&again, device));
  CHECK(primary == again);
  CHECK_CU(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK_EQ(active, 1);
  CHECK_CU(cuCtxSetCurrent(primary));
  CHECK_CU(cuMemAlloc(&memory, 100));
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuCtxSetCurrent(nullptr));
  CHECK_CU(cuDevicePrimaryCtxRelease(device));
  CHECK_CU(cuDevicePrimaryCtxRelease(device));
  CHECK_CU(cuDevicePrimaryCtxGetState(device, &flags, &active));
  CHECK_EQ(active, 0);
  return check_report();
}

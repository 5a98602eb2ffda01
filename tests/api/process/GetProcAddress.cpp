// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver functions by name and version, called through the pointer types of cudaTypedefs.h and musaTypedefs.h.
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: C-4.22-01 C-4.22-02
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <musaTypedefs.h>

#include "check.h"

int main() {
  CHECK_CU(cuInit(0));
  CUdriverProcAddressQueryResult status;
  PFN_cuMemAlloc_v3020 alloc = nullptr;
  CHECK_CU(cuGetProcAddress("cuMemAlloc", reinterpret_cast<void **>(&alloc), 12000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  CHECK_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
  PFN_muMemFree release = nullptr;
  CHECK_EQ(muGetProcAddress("muMemFree", reinterpret_cast<void **>(&release), 12000, MU_GET_PROC_ADDRESS_DEFAULT, nullptr), MUSA_SUCCESS);

  // The version decides how many parameters the function has.
  PFN_cuCtxCreate_v3020 create = nullptr;
  CHECK_CU(cuGetProcAddress("cuCtxCreate", reinterpret_cast<void **>(&create), 11000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  PFN_cuCtxCreate_v12050 create_now = nullptr;
  CHECK_CU(cuGetProcAddress("cuCtxCreate", reinterpret_cast<void **>(&create_now), 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  CUcontext first = nullptr, second = nullptr;
  CHECK_CU(create(&first, 0, 0));
  CHECK_CU(create_now(&second, nullptr, 0, 0));
  CUdeviceptr p = 0;
  CHECK_CU(alloc(&p, 64));
  CHECK_EQ(release(p), MUSA_SUCCESS);

  // Per-thread default stream: another function for those that use the default stream.
  PFN_cuMemcpyHtoD_v3020 legacy = nullptr;
  PFN_cuMemcpyHtoD_v7000_ptds per_thread = nullptr;
  CHECK_CU(cuGetProcAddress("cuMemcpyHtoD", reinterpret_cast<void **>(&legacy), 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &status));
  CHECK_CU(cuGetProcAddress("cuMemcpyHtoD", reinterpret_cast<void **>(&per_thread), 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  CHECK(legacy != per_thread);
  int host = 5, back = 0;
  CHECK_CU(alloc(&p, sizeof host));
  CHECK_CU(per_thread(p, &host, sizeof host));
  CHECK_CU(cuMemcpyDtoH(&back, p, sizeof back));
  CHECK_EQ(back, 5);
  CHECK_EQ(release(p), MUSA_SUCCESS);
  CHECK_CU(cuCtxDestroy(second));
  CHECK_CU(cuCtxDestroy(first));

  void *none = &none;
  CHECK_EQ(cuGetProcAddress("cuMemAllocAsync", &none, 11000, CU_GET_PROC_ADDRESS_DEFAULT, &status), CUDA_ERROR_NOT_FOUND);
  CHECK_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK_EQ(cuGetProcAddress("cumemalloc", &none, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &status), CUDA_ERROR_NOT_FOUND);
  CHECK_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(none == nullptr);

  PFN_cuDeviceGetUuid_v9020 uuid = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK_CUDA(cudaGetDriverEntryPointByVersion("cuDeviceGetUuid", reinterpret_cast<void **>(&uuid), 12000, cudaEnableDefault, &found));
  CHECK_EQ(found, cudaDriverEntryPointSuccess);
  CUuuid id;
  CHECK_CU(uuid(&id, 0));
  return check_report();
}

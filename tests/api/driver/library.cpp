// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries: code without a context, kernels as handles, one module in each context, shared managed variables.
// RUN: %mcc -fatbin %S/Inputs/library.cu -o %t.fatbin && %mcc %s -o %t -lcuda
// RUN: env HELICON_CPU_DEVICES=2 %run %t %t.fatbin
// covers: C-3.3-01 C-3.4-01
#include <cuda.h>

#include <string.h>

#include "check.h"

static int count_up(CUkernel kernel) {
  int out = -1;
  CUdeviceptr memory;
  CHECK_CU(cuMemAlloc(&memory, 4));
  void *parameters[] = {&memory};
  CHECK_CU(cuLaunchKernel((CUfunction)kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_CU(cuMemcpyDtoH(&out, memory, 4));
  CHECK_CU(cuMemFree(memory));
  return out;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  CUlibrary library;
  CUkernel kernel, listed[2];
  CUcontext first, second;
  unsigned count = 0;
  CHECK_CU(cuInit(0));
  CHECK_ERROR(cuLibraryLoadFromFile(&library, "/nowhere", nullptr, nullptr, 0, nullptr, nullptr, 0),
              CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_CU(cuLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK_CU(cuLibraryGetKernelCount(&count, library));
  CHECK_EQ(count, 1u);
  CHECK_CU(cuLibraryEnumerateKernels(listed, 2, library));
  CHECK_CU(cuLibraryGetKernel(&kernel, library, "count_up"));
  CHECK(listed[0] == kernel);
  const char *name = nullptr;
  CHECK_CU(cuKernelGetName(&name, kernel));
  CHECK(strcmp(name, "count_up") == 0);
  CHECK_ERROR(cuLibraryGetKernel(&kernel, library, "missing"), CUDA_ERROR_NOT_FOUND);

  CHECK_CU(cuDevicePrimaryCtxRetain(&first, 0));
  CHECK_CU(cuDevicePrimaryCtxRetain(&second, 1));
  CHECK_CU(cuCtxSetCurrent(first));
  CHECK_EQ(count_up(kernel), 1);
  CHECK_EQ(count_up(kernel), 2);
  CUdeviceptr managed_here, managed_there, plain_here, plain_there;
  CHECK_CU(cuLibraryGetManaged(&managed_here, nullptr, library, "total"));
  CHECK_CU(cuLibraryGetGlobal(&plain_here, nullptr, library, "calls"));
  CHECK_CU(cuCtxSetCurrent(second));
  CHECK_EQ(count_up(kernel), 1);
  CHECK_CU(cuLibraryGetManaged(&managed_there, nullptr, library, "total"));
  CHECK_CU(cuLibraryGetGlobal(&plain_there, nullptr, library, "calls"));
  CHECK(managed_here == managed_there);
  CHECK(plain_here != plain_there);
  CHECK_CU(cuCtxSynchronize());
  CHECK_EQ(*(int *)managed_here, 3);
  CHECK_CU(cuLibraryUnload(library));
  CHECK_ERROR(cuLibraryUnload(library), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuKernelGetName(&name, kernel), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuDevicePrimaryCtxRelease(0));
  CHECK_CU(cuDevicePrimaryCtxRelease(1));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API in its MUSA spelling, from a module file made of a .mu source.
// RUN: cp %S/Inputs/kernels.cu %t.mu && %mcc -fatbin %t.mu -o %t.fatbin
// RUN: %mcc %s -o %t -lmusa && %run %t %t.fatbin
// covers: M-3.2.17-01 M-3.2.17-02 M-3.2.17-03
#include <musa.h>

#include <cstring>

#include "check.h"

int main(int, char **argv) {
  MUdevice device;
  MUcontext context;
  MUmodule module;
  MUfunction add;
  MUdeviceptr memory;
  CHECK_MU(muInit(0));
  CHECK_MU(muDeviceGet(&device, 0));
  CHECK_ERROR(muMemAlloc(&memory, 16), MUSA_ERROR_INVALID_CONTEXT);
  CHECK_MU(muCtxCreate(&context, 0, device));
  CHECK_MU(muModuleLoad(&module, argv[1]));
  CHECK_MU(muModuleGetFunction(&add, module, "vector_add"));
  float host[64];
  for (int i = 0; i < 64; ++i) {
    host[i] = i;
  }
  int n = 64;
  CHECK_MU(muMemAlloc(&memory, sizeof host));
  CHECK_MU(muMemcpyHtoD(memory, host, sizeof host));
  void *parameters[] = {&memory, &memory, &memory, &n};
  CHECK_MU(muLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_MU(muMemcpyDtoH(host, memory, sizeof host));
  CHECK_EQ(host[63], 126.0f);
  const char *name = nullptr;
  CHECK_MU(muGetErrorName(MUSA_ERROR_INVALID_CONTEXT, &name));
  CHECK_EQ(std::strcmp(name, "MUSA_ERROR_INVALID_CONTEXT"), 0);
  CHECK_MU(muMemFree(memory));
  CHECK_MU(muModuleUnload(module));
  CHECK_MU(muCtxDestroy(context));
  return check_report();
}

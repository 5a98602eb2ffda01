// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole program by the driver API: context, a module from a file, memory, launches with an array of parameters and with
// one packed buffer, module variables.
// RUN: %mcc -cubin %S/Inputs/kernels.cu -o %t.cubin && %mcc -fatbin %S/Inputs/kernels.cu -o %t.fatbin
// RUN: %mcc %s -o %t -lcuda && %run %t %t.cubin && %run %t %t.fatbin
// covers: C-3.3-01 C-3.3.2-01 C-3.3.3-01 M-3.2.17-02 M-3.2.17-03
#include <cuda.h>

#include <cstring>
#include <vector>

#include "check.h"

static void add_vectors(CUmodule module) {
  CUfunction add;
  CHECK_CU(cuModuleGetFunction(&add, module, "vector_add"));
  const int n = 1000;
  int count = n;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 0.5f * i;
  }
  CUdeviceptr device_a, device_b, device_c;
  CHECK_CU(cuMemAlloc(&device_a, n * sizeof(float)));
  CHECK_CU(cuMemAlloc(&device_b, n * sizeof(float)));
  CHECK_CU(cuMemAlloc(&device_c, n * sizeof(float)));
  CHECK_CU(cuMemcpyHtoD(device_a, a.data(), n * sizeof(float)));
  CHECK_CU(cuMemcpyHtoD(device_b, b.data(), n * sizeof(float)));
  void *parameters[] = {&device_a, &device_b, &device_c, &count};
  CHECK_CU(cuLaunchKernel(add, (n + 127) / 128, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_CU(cuMemcpyDtoH(c.data(), device_c, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(c[i], 1.5f * i);
  }
  CHECK_CU(cuMemFree(device_a));
  CHECK_CU(cuMemFree(device_b));
  CHECK_CU(cuMemFree(device_c));
}

static void packed_parameters(CUmodule module) {
  CUfunction mixed;
  CUdeviceptr out, factors, offset;
  size_t bytes = 0;
  CHECK_CU(cuModuleGetFunction(&mixed, module, "mixed"));
  CHECK_CU(cuModuleGetGlobal(&factors, &bytes, module, "factors"));
  CHECK_EQ(bytes, 8 * sizeof(float));
  CHECK_CU(cuModuleGetGlobal(&offset, &bytes, module, "offset"));
  CHECK_EQ(bytes, sizeof(int));
  float table[8] = {0, 0, 0, 4000};
  CHECK_CU(cuMemcpyHtoD(factors, table, sizeof table));
  CHECK_CU(cuMemAlloc(&out, 4 * sizeof(int)));
  // char at 0, float2 at 8, double at 16, float4 at 32, pointer at 48.
  char buffer[56] = {};
  float second[2] = {4, 2}, fourth[4] = {1, 2, 3, 4};
  double third = 77.5;
  buffer[0] = 5;
  std::memcpy(buffer + 8, second, sizeof second);
  std::memcpy(buffer + 16, &third, sizeof third);
  std::memcpy(buffer + 32, fourth, sizeof fourth);
  std::memcpy(buffer + 48, &out, sizeof out);
  size_t size = sizeof buffer;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CHECK_CU(cuLaunchKernel(mixed, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  int host[4] = {};
  CHECK_CU(cuMemcpyDtoH(host, out, sizeof host));
  CHECK_EQ(host[0], 105);
  CHECK_EQ(host[1], 42);
  CHECK_EQ(host[2], 77);
  CHECK_EQ(host[3], 4010);
  CHECK_CU(cuMemFree(out));
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  CHECK_OWN_ERROR(cuDeviceGetCount(&argc), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CU(cuInit(0));
  int devices = 0;
  CHECK_CU(cuDeviceGetCount(&devices));
  CHECK(devices >= 1);
  CUdevice device;
  CUcontext context;
  CUmodule module;
  char name[100] = "";
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_CU(cuDeviceGetName(name, sizeof name, device));
  CHECK(name[0] != 0);
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, device));
  CHECK_CU(cuModuleLoad(&module, argv[1]));
  add_vectors(module);
  packed_parameters(module);
  CUfunction none;
  CUdeviceptr nowhere;
  CHECK_ERROR(cuModuleGetFunction(&none, module, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
  CHECK_ERROR(cuModuleGetGlobal(&nowhere, nullptr, module, "no_such_variable"), CUDA_ERROR_NOT_FOUND);
  CHECK_CU(cuModuleUnload(module));
  CHECK_ERROR(cuModuleLoad(&module, "/no/such/file"), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_ERROR(cuModuleLoad(&module, argv[0]), CUDA_ERROR_INVALID_IMAGE);
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}

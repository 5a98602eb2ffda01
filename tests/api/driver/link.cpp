// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking of relocatable device code through the driver API, from memory and from files; what it says when symbols miss.
//
// RUN: %mcc -rdc=true -cubin %S/Inputs/parts_a.cu -o %t.a && %mcc -rdc=true -cubin %S/Inputs/parts_b.cu -o %t.b
// RUN: %mcc %s -o %t -lcuda && %run %t %t.a %t.b
// covers: C-3.3.2-02
#include <cuda.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <string>
#include <vector>

#include "check.h"

static std::vector<char> read(const char *path) {
  std::vector<char> bytes;
  FILE *file = fopen(path, "rb");
  for (int c; file != nullptr && (c = fgetc(file)) != EOF;) {
    bytes.push_back((char)c);
  }
  if (file != nullptr) {
    fclose(file);
  }
  return bytes;
}

static void run(const void *image) {
  CUmodule module;
  CUfunction fill;
  CUdeviceptr memory;
  int host[32] = {};
  CHECK_CU(cuModuleLoadData(&module, image));
  CHECK_CU(cuModuleGetFunction(&fill, module, "fill"));
  CHECK_CU(cuMemAlloc(&memory, sizeof host));
  void *parameters[] = {&memory};
  CHECK_CU(cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_CU(cuMemcpyDtoH(host, memory, sizeof host));
  CHECK_EQ(host[0], 1000);
  CHECK_EQ(host[31], 1062);
  CUdeviceptr base;
  CHECK_CU(cuModuleGetGlobal(&base, nullptr, module, "base"));
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuModuleUnload(module));
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 3);
  CUdevice device;
  CUcontext context;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, device));

  CUlinkState link;
  void *image = nullptr;
  size_t bytes = 0;
  std::vector<char> a = read(argv[1]), b = read(argv[2]);
  CHECK_CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_CU(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, a.data(), a.size(), "a", 0, nullptr, nullptr));
  CHECK_CU(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, b.data(), b.size(), "b", 0, nullptr, nullptr));
  CHECK_CU(cuLinkComplete(link, &image, &bytes));
  CHECK(bytes > 0);
  run(image);
  CHECK_CU(cuLinkDestroy(link));
  CHECK_OWN_ERROR(cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE);

  CHECK_CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_CU(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, argv[2], 0, nullptr, nullptr));
  CHECK_CU(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, argv[1], 0, nullptr, nullptr));
  CHECK_ERROR(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, "/nowhere/at/all", 0, nullptr, nullptr),
              CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_CU(cuLinkComplete(link, &image, &bytes));
  run(image);
  CHECK_CU(cuLinkDestroy(link));

  char log[512] = "untouched";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  CHECK_CU(cuLinkCreate(2, options, values, &link));
  CHECK_CU(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, a.data(), a.size(), "a", 0, nullptr, nullptr));
  CHECK(cuLinkComplete(link, &image, &bytes) != CUDA_SUCCESS);
  CHECK(strstr(log, "twice") != nullptr);
  CHECK_CU(cuLinkDestroy(link));

  CHECK_CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_ERROR(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, a.data(), a.size() / 2, "a", 0, nullptr, nullptr),
              CUDA_ERROR_INVALID_IMAGE);
  CHECK_ERROR(cuLinkAddData(link, CU_JIT_INPUT_CUBIN, nullptr, 0, "a", 0, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuLinkDestroy(link));
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every form of a module that mcc writes can be loaded, from a file and from memory, also when it has no code for this
// processor and has to be compiled now; broken ones are refused.
// RUN: %mcc -cubin %source/tests/spec/c/3.3/Inputs/kernels.cu -o %t.cubin
// RUN: %mcc -fatbin %source/tests/spec/c/3.3/Inputs/kernels.cu -o %t.fatbin
// RUN: %mcc -rdc=true -cubin %source/tests/spec/c/3.3/Inputs/kernels.cu -o %t.relocatable
// RUN: %mcc %s -o %t -lcuda && %run %t %t.cubin %t.fatbin %t.relocatable
// covers: C-3.3.2-01
#include <cuda.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

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

static void run(CUmodule module) {
  CUfunction add;
  CHECK_CU(cuModuleGetFunction(&add, module, "vector_add"));
  float host[64];
  for (int i = 0; i < 64; i++) {
    host[i] = i;
  }
  CUdeviceptr memory;
  int n = 64;
  CHECK_CU(cuMemAlloc(&memory, sizeof host));
  CHECK_CU(cuMemcpyHtoD(memory, host, sizeof host));
  void *parameters[] = {&memory, &memory, &memory, &n};
  CHECK_CU(cuLaunchKernel(add, 2, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_CU(cuMemcpyDtoH(host, memory, sizeof host));
  CHECK_EQ(host[63], 126.0f);
  CHECK_CU(cuMemFree(memory));
  CHECK_CU(cuModuleUnload(module));
}

int main(int argc, char **argv) {
  CUcontext context;
  CUmodule module;
  CHECK_CU(cuInit(0));
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  for (int i = 1; i < argc; i++) {
    CHECK_CU(cuModuleLoad(&module, argv[i]));
    run(module);
    std::vector<char> bytes = read(argv[i]);
    CHECK_CU(cuModuleLoadData(&module, bytes.data()));
    run(module);
    char log[256] = "untouched", info[256];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_INFO_LOG_BUFFER,  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                              CU_JIT_LOG_VERBOSE,      CU_JIT_TARGET_FROM_CUCONTEXT};
    void *values[] = {log, (void *)(uintptr_t)sizeof log, info, (void *)(uintptr_t)sizeof info, (void *)1, nullptr};
    CHECK_CU(cuModuleLoadDataEx(&module, bytes.data(), 6, options, values));
    CHECK(strcmp(log, "") == 0);
    run(module);
    // One byte of the header, then of the table of entries, is wrong: an error or a module that works, never a crash.
    for (size_t at = 0; at < 200; at += 3) {
      std::vector<char> damaged = bytes;
      damaged[at] ^= 0x55;
      if (cuModuleLoadData(&module, damaged.data()) == CUDA_SUCCESS) {
        CHECK_CU(cuModuleUnload(module));
      }
    }
    strcpy(log, "untouched");
    values[1] = (void *)(uintptr_t)sizeof log;
    bytes[3] ^= 0xFF;
    CHECK_ERROR(cuModuleLoadDataEx(&module, bytes.data(), 2, options, values), CUDA_ERROR_INVALID_IMAGE);
    CHECK(!check::is_own_driver() || strstr(log, "image") != nullptr);
  }
  CHECK_ERROR(cuModuleLoad(&module, "/etc/hostname"), CUDA_ERROR_INVALID_IMAGE);
  CHECK_ERROR(cuModuleLoad(&module, "/etc"), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_ERROR(cuModuleLoad(&module, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuCtxDestroy(context));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What concerns the whole process, by both APIs: the log of failed calls, the profiler's switches, texts of errors, the
// driver's functions by name, and tables that are not offered.
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && %run %t %t.log 2>&1 | %FileCheck %s
// covers: C-4.9.4-01 C-2.1.7-01
#include "check.h"

#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#include <fstream>
#include <iterator>
#include <string>

// A program that contains the vendor's runtime library is told so once, in words, where our driver is asked.
// CHECK: {{helicon: cuGetExportTable: .*compile it again|another driver is asked}}
// CHECK-NOT: cuGetExportTable
// CHECK: passed

static std::string told;

static void hear(void *, CUlogLevel level, char *message, size_t length) {
  CHECK_EQ(level, CU_LOG_LEVEL_ERROR);
  told.append(message, length);
}

static void fail() {
  int value = 0;
  CHECK_ERROR(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99), CUDA_ERROR_INVALID_DEVICE);
}

static void log(const char *path) {
  CUlogsCallbackHandle handle = nullptr;
  CHECK_CU(cuLogsRegisterCallback(hear, nullptr, &handle));
  fail();
  CHECK(told.find("cuDeviceGetAttribute") != std::string::npos);
  CHECK_CU(cuLogsUnregisterCallback(handle));
  const size_t length = told.size();
  fail();
  CHECK_EQ(told.size(), length);
  CHECK_OWN_ERROR(cuLogsUnregisterCallback(handle), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLogsRegisterCallback(nullptr, nullptr, &handle), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuLogsDumpToFile(nullptr, path, 0));
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  CHECK(text.find("CUDA_ERROR_INVALID_DEVICE") != std::string::npos);
  CHECK_ERROR(cuLogsDumpToFile(nullptr, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuLogsDumpToFile(nullptr, path, 5), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLogsDumpToFile(nullptr, "/nowhere/file", 0), CUDA_ERROR_INVALID_VALUE);
}

static void profiler() {
  CHECK_ERROR(cuProfilerStart(), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuProfilerStop(), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CUDA(cudaProfilerStart());
  CHECK_CUDA(cudaProfilerStop());
  CHECK_CU(cuProfilerStart());  // the runtime has made a context current
  CHECK_CU(cuProfilerStop());
  CHECK_OWN_ERROR(cuProfilerInitialize("config", "out", CU_OUT_CSV), CUDA_ERROR_NOT_SUPPORTED);
}

static void error_texts() {
  const char *name = nullptr, *text = nullptr;
  CHECK_CU(cuGetErrorName(CUDA_ERROR_INVALID_DEVICE, &name));
  CHECK_CU(cuGetErrorString(CUDA_ERROR_INVALID_DEVICE, &text));
  CHECK(strcmp(name, "CUDA_ERROR_INVALID_DEVICE") == 0 && strlen(text) > 5 && strcmp(name, text) != 0);
  CHECK_ERROR(cuGetErrorString(static_cast<CUresult>(123456), &text), CUDA_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
}

static void functions_by_name() {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointVersionNotSufficent;
  CHECK_CUDA(cudaGetDriverEntryPoint("cuDeviceGetCount", &function, cudaEnableDefault, &result));
  CHECK_EQ(result, cudaDriverEntryPointSuccess);
  int count = 0;
  CHECK_EQ(reinterpret_cast<CUresult (*)(int *)>(function)(&count), CUDA_SUCCESS);
  CHECK(count >= 1);
  CHECK_CUDA(cudaGetDriverEntryPoint("cuNoSuchFunction", &function, cudaEnableDefault, &result));
  CHECK(result == cudaDriverEntryPointSymbolNotFound && function == nullptr);
  CHECK_ERROR(cudaGetDriverEntryPoint(nullptr, &function, cudaEnableDefault, &result), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDriverEntryPoint("cuInit", nullptr, cudaEnableDefault, &result), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetDriverEntryPoint("cuInit", &function, 99, &result), cudaErrorInvalidValue);
}

static void private_tables() {
  const void *table = &table;
  const CUuuid id = {};
  CHECK_OWN_ERROR(cuGetExportTable(&table, &id), CUDA_ERROR_NOT_FOUND);
  CHECK(table == nullptr || !check::is_own_driver());
  if (!check::is_own_driver()) {
    puts("another driver is asked");
  }
  CHECK(cudaGetExportTable(&table, reinterpret_cast<const cudaUUID_t *>(&id)) != cudaSuccess);
  CHECK_ERROR(cuGetExportTable(nullptr, &id), CUDA_ERROR_INVALID_VALUE);
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  CHECK_CU(cuInit(0));
  log(argv[1]);
  profiler();
  error_texts();
  functions_by_name();
  private_tables();
  return check_report();
}

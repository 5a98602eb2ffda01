// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of failed calls: what it says, receivers, dumps, its limits, the file that CUDA_LOG_FILE names.
// gpu: no (the vendor's driver keeps its own log)
// RUN: %mcc %s -o %t && env CUDA_LOG_FILE=%t.log %run %t && cat %t.log | %FileCheck %s
// covers: C-4.9-01 C-4.9.4-01 C-4.9.4-02 C-5.2.5.1-01
#include "check.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <string>

// CHECK: [{{[0-9]+:[0-9]+:[0-9]+\.[0-9]+}}][{{[0-9]+}}][CUDA{{(RT)?}}][E] {{.+}}
// CHECK-NEXT: [CUDA{{(RT)?}}][E] Returning 1 (cudaErrorInvalidValue) from cudaMemset
static std::string told;
static void hear(void *data, cudaLogLevel level, char *message, size_t length) {
  if (data == &told && level == cudaLogLevelError && strlen(message) == length) {
    told += message;
    told += '\n';
  }
}

static void fail() { CHECK_ERROR(cudaMemset((void *)8, 0, 4), cudaErrorInvalidValue); }

int main() {
  char buffer[25600];
  size_t size = sizeof(buffer);
  cudaLogIterator at = 99;
  CHECK_CUDA(cudaLogsCurrent(&at, 0));
  CHECK_CUDA(cudaLogsDumpToMemory(nullptr, buffer, &size, 0));
  CHECK_EQ(size, 0u);  // no message yet
  fail();
  size = sizeof(buffer);
  CHECK_CUDA(cudaLogsDumpToMemory(&at, buffer, &size, 0));
  CHECK(size > 0 && size == strlen(buffer));
  CHECK(strstr(buffer, "Returning 1 (cudaErrorInvalidValue) from cudaMemset\n") != nullptr);
  CHECK(strstr(buffer, "does not exist") != nullptr || strstr(buffer, "do not exist") != nullptr ||
        strstr(buffer, "has no") != nullptr);
  size = sizeof(buffer);
  CHECK_CUDA(cudaLogsDumpToMemory(&at, buffer, &size, 0));  // the iterator is at the end
  CHECK_EQ(size, 0u);

  CHECK_ERROR(cudaLogsCurrent(nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLogsCurrent(&at, 1), cudaErrorInvalidValue);
  size = sizeof(buffer);
  CHECK_ERROR(cudaLogsDumpToMemory(nullptr, nullptr, &size, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLogsDumpToMemory(nullptr, buffer, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLogsDumpToMemory(nullptr, buffer, &size, 2), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLogsDumpToFile(nullptr, nullptr, 0), cudaErrorInvalidValue);
  size = 8;
  CHECK_ERROR(cudaLogsDumpToMemory(nullptr, buffer, &size, 0), cudaErrorInvalidValue);  // not one message fits
  CHECK_EQ(size, 0u);

  // Receivers are given the message without the head of the line.
  cudaLogsCallbackHandle handle = nullptr;
  CHECK_ERROR(cudaLogsRegisterCallback(nullptr, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_CUDA(cudaLogsRegisterCallback(hear, &told, &handle));
  fail();
  CHECK(told.find("Returning 1 (cudaErrorInvalidValue) from cudaMemset\n") != std::string::npos);
  CHECK(told.find('[') == std::string::npos);
  CHECK_CUDA(cudaLogsUnregisterCallback(handle));
  told.clear();
  CHECK_ERROR(cudaLogsUnregisterCallback(handle), cudaErrorInvalidValue);
  fail();
  CHECK(told.empty());

  // The driver's failures are in the same log; a hundred messages are kept.
  CUlogIterator driver_at = 0;
  CHECK_ERROR(cuCtxSetCurrent((CUcontext)8), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CU(cuLogsCurrent(&driver_at, 0));
  CHECK_ERROR(cuMemAlloc(nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  size = sizeof(buffer);
  CHECK_CU(cuLogsDumpToMemory(&driver_at, buffer, &size, 0));
  CHECK(strstr(buffer, "[CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemAlloc") != nullptr);
  for (int i = 0; i < 200; i++) {
    fail();
  }
  cudaLogIterator start = 0;
  size = sizeof(buffer);
  CHECK_CUDA(cudaLogsDumpToMemory(&start, buffer, &size, 0));
  CHECK(strncmp(buffer, "[truncated", 10) == 0);
  int lines = 0;
  for (size_t i = 0; i < size; i++) {
    lines += buffer[i] == '\n';
  }
  CHECK_EQ(lines, 101);
  size = 1000;  // the newest that fit
  CHECK_CUDA(cudaLogsDumpToMemory(nullptr, buffer, &size, 0));
  CHECK(size < 1000 && strncmp(buffer, "[truncated", 10) == 0);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last error: kept by thread, read with and without clearing; launches report through it. No message says "cuda".
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.12-01
#include <cstring>
#include <thread>

#include "check.h"

__global__ void nothing() {}

int main() {
  CHECK_ERROR(musaGetLastError(), musaSuccess);
  CHECK_ERROR(musaSetDevice(1000), musaErrorInvalidDevice);
  std::thread([] { CHECK_ERROR(musaPeekAtLastError(), musaSuccess); }).join();
  CHECK_ERROR(musaPeekAtLastError(), musaErrorInvalidDevice);
  CHECK_ERROR(musaGetLastError(), musaErrorInvalidDevice);
  CHECK_ERROR(musaGetLastError(), musaSuccess);

  nothing<<<1, 5000>>>();
  CHECK_ERROR(musaPeekAtLastError(), musaErrorInvalidValue);
  CHECK_ERROR(musaGetLastError(), musaErrorInvalidValue);
  nothing<<<1, 5>>>();
  CHECK_ERROR(musaGetLastError(), musaSuccess);
  CHECK_MUSA(musaDeviceSynchronize());

  CHECK_EQ(std::strcmp(musaGetErrorName(musaErrorInvalidConfiguration), "musaErrorInvalidConfiguration"), 0);
  for (int code = 0; code < 1000; ++code) {
    const char *name = musaGetErrorName(static_cast<musaError_t>(code));
    const char *text = musaGetErrorString(static_cast<musaError_t>(code));
    CHECK(name != nullptr && text != nullptr && std::strlen(text) > 3);
    CHECK(std::strstr(name, "cuda") == nullptr && std::strstr(text, "cuda") == nullptr);
    CHECK(std::strstr(text, "CUDA") == nullptr);
  }
  return check_report();
}

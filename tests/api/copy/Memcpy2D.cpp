// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy2D: rows with pitches on both sides.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-03
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  constexpr size_t kWidth = 3, kHeight = 4;
  char host[kHeight][5], back[kHeight][7] = {};
  for (size_t y = 0; y < kHeight; ++y) {
    for (size_t x = 0; x < 5; ++x) {
      host[y][x] = static_cast<char>(10 * y + x);
    }
  }
  void *d = nullptr;
  size_t pitch = 0;
  REQUIRE_CUDA(cudaMallocPitch(&d, &pitch, kWidth, kHeight));
  CHECK_CUDA(cudaMemcpy2D(d, pitch, host, 5, kWidth, kHeight, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy2D(back, 7, d, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost));
  for (size_t y = 0; y < kHeight; ++y) {
    for (size_t x = 0; x < 7; ++x) {
      CHECK_EQ(static_cast<int>(back[y][x]), x < kWidth ? static_cast<int>(10 * y + x) : 0);
    }
  }
  CHECK_ERROR(cudaMemcpy2D(d, 2, host, 5, kWidth, kHeight, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2D(d, pitch, host, 2, kWidth, kHeight, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2D(nullptr, pitch, host, 5, kWidth, kHeight, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2D(d, pitch, host, 5, kWidth, kHeight, static_cast<cudaMemcpyKind>(9)),
              cudaErrorInvalidMemcpyDirection);
  CHECK_CUDA(cudaMemcpy2D(d, pitch, host, 5, 0, kHeight, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaFree(d));
  return check_report();
}

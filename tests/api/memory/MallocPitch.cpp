// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMallocPitch, cudaMalloc3D: rows at a distance that suits the device.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-03
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  void *p = nullptr;
  size_t pitch = 0;
  REQUIRE_CUDA(cudaMallocPitch(&p, &pitch, 100, 5));
  CHECK(pitch >= 100);
  CHECK_CUDA(cudaMemset2D(p, pitch, 1, 100, 5));
  CHECK_CUDA(cudaFree(p));
  CHECK_CUDA(cudaMallocPitch(&p, &pitch, 0, 5));
  CHECK(p == nullptr);
  CHECK_ERROR(cudaMallocPitch(nullptr, &pitch, 100, 5), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocPitch(&p, nullptr, 100, 5), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocPitch(&p, &pitch, size_t{1} << 20, size_t{1} << 40), cudaErrorMemoryAllocation);

  cudaPitchedPtr box{};
  cudaExtent extent{70, 4, 3};
  REQUIRE_CUDA(cudaMalloc3D(&box, extent));
  CHECK(box.pitch >= 70);
  CHECK_EQ(box.xsize, size_t{70});
  CHECK_EQ(box.ysize, size_t{4});
  CHECK_CUDA(cudaMemset3D(box, 2, extent));
  unsigned char corner = 0;
  CHECK_CUDA(cudaMemcpy(&corner, static_cast<char *>(box.ptr) + (2 * 4 + 3) * box.pitch + 69, 1, cudaMemcpyDeviceToHost));
  CHECK_EQ(corner, 2);
  CHECK_CUDA(cudaFree(box.ptr));
  CHECK_ERROR(cudaMalloc3D(nullptr, extent), cudaErrorInvalidValue);
  return check_report();
}

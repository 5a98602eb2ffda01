// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaMemcpy3D: a box out of a box.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-03
#include "check.h"

#include <cuda_runtime_api.h>

int main() {
  constexpr size_t kX = 4, kY = 3, kZ = 2;
  unsigned char host[kZ][kY][kX], back[kZ][kY][kX] = {};
  for (size_t i = 0; i < sizeof host; ++i) {
    host[0][0][i] = static_cast<unsigned char>(i + 1);
  }
  cudaPitchedPtr d{};
  REQUIRE_CUDA(cudaMalloc3D(&d, {kX, kY, kZ}));
  cudaMemcpy3DParms in{};
  in.srcPtr = {host, kX, kX, kY};
  in.dstPtr = d;
  in.extent = {kX, kY, kZ};
  in.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&in));
  // The box of 2 x 2 x 1 bytes at (1, 1, 1) goes to (0, 0, 0).
  cudaMemcpy3DParms out{};
  out.srcPtr = d;
  out.srcPos = {1, 1, 1};
  out.dstPtr = {back, kX, kX, kY};
  out.extent = {2, 2, 1};
  out.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3D(&out));
  CHECK_EQ(back[0][0][0], host[1][1][1]);
  CHECK_EQ(back[0][1][1], host[1][2][2]);
  CHECK_EQ(back[0][0][2], 0);
  cudaMemcpy3DParms empty{};
  CHECK_CUDA(cudaMemcpy3D(&empty));
  empty.extent = {1, 1, 1};
  CHECK_ERROR(cudaMemcpy3D(&empty), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
  out.kind = static_cast<cudaMemcpyKind>(5);
  CHECK_ERROR(cudaMemcpy3D(&out), cudaErrorInvalidMemcpyDirection);
  CHECK_CUDA(cudaFree(d.ptr));
  return check_report();
}

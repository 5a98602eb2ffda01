// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays: making, asking, copying in and out by rectangles, boxes and runs of bytes; what is no array.
// gpu: no (the vendor's driver does not survive destroyed handles)
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.2-06
#include "check.h"

#include <cuda_runtime.h>

int main() {
  constexpr size_t kWidth = 6, kHeight = 4;
  float in[kHeight][kWidth], out[kHeight][kWidth] = {};
  for (size_t i = 0; i < kWidth * kHeight; ++i) {
    in[0][i] = static_cast<float>(i);
  }
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  REQUIRE_CUDA(cudaMallocArray(&array, &desc, kWidth, kHeight));
  cudaChannelFormatDesc got{};
  cudaExtent extent{};
  unsigned flags = 9;
  CHECK_CUDA(cudaArrayGetInfo(&got, &extent, &flags, array));
  CHECK_EQ(got.x, 32);
  CHECK_EQ(got.y, 0);
  CHECK_EQ(got.f, cudaChannelFormatKindFloat);
  CHECK_EQ(extent.width, kWidth);
  CHECK_EQ(extent.height, kHeight);
  CHECK_EQ(flags, 0u);

  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], kHeight, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy2DFromArray(out, sizeof out[0], array, 0, 0, sizeof out[0], kHeight, cudaMemcpyDeviceToHost));
  CHECK_EQ(out[3][5], 23.0f);
  CHECK_EQ(out[1][0], 6.0f);

  // The two elements from (4, 1) on, by elements.
  float two[2] = {};
  cudaMemcpy3DParms p{};
  p.srcArray = array;
  p.srcPos = {4, 1, 0};
  p.dstPtr = {two, sizeof two, 2, 1};
  p.extent = {2, 1, 1};
  p.kind = cudaMemcpyDeviceToHost;
  CHECK_CUDA(cudaMemcpy3D(&p));
  CHECK_EQ(two[0], 10.0f);
  CHECK_EQ(two[1], 11.0f);

  CHECK_ERROR(cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], kHeight + 1, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], kHeight, cudaMemcpyDeviceToHost),
              cudaErrorInvalidMemcpyDirection);
  cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  cudaArray_t other = nullptr;
  CHECK_ERROR(cudaMallocArray(&other, &three, 4, 4), cudaErrorInvalidChannelDescriptor);
  CHECK_ERROR(cudaMallocArray(&other, nullptr, 4, 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(nullptr, &desc, 4, 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(&other, &desc, 0, 4), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(nullptr));
  CHECK_CUDA(cudaFreeArray(array));
  CHECK(cudaFreeArray(array) != cudaSuccess);
  return check_report();
}

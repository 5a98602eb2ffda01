// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mipmapped arrays of both APIs: levels and their sizes, memory requirements, and what cannot be made.
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: M-3.2.14-01
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
  cudaMipmappedArray_t mipmap = nullptr;
  cudaArray_t level = nullptr, again = nullptr;
  // As many levels as there are, when more are asked for; at least one.
  CHECK_CUDA(cudaMallocMipmappedArray(&mipmap, &format, {5, 12, 3}, 100));
  CHECK_ERROR(cudaGetMipmappedArrayLevel(&level, mipmap, 4), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&level, mipmap, 2));
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&again, mipmap, 2));
  CHECK_EQ(level, again);
  CHECK_ERROR(cudaGetMipmappedArrayLevel(nullptr, mipmap, 0), cudaErrorInvalidValue);
  cudaExtent extent;
  CHECK_CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
  CHECK_EQ(extent.width, 1u);
  CHECK_EQ(extent.height, 3u);
  CHECK_EQ(extent.depth, 1u);
  if (check::is_own_driver())
    CHECK(cudaFreeArray(level) != cudaSuccess);  // it belongs to the mipmapped array
  cudaArrayMemoryRequirements needs = {};
  // A vendor's driver tells it only of arrays whose mapping is deferred.
  if (check::is_own_driver()) {
    CHECK_CUDA(cudaMipmappedArrayGetMemoryRequirements(&needs, mipmap, 0));
    CHECK(needs.size >= 8 * (5 * 12 * 3 + 2 * 6 + 3 + 1));
  }
  CHECK_OWN_ERROR(cudaMipmappedArrayGetMemoryRequirements(nullptr, mipmap, 0), cudaErrorInvalidValue);
  cudaArray_t plane = nullptr;
  CHECK_OWN_ERROR(cudaArrayGetPlane(&plane, level, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeMipmappedArray(mipmap));
  if (check::is_own_driver())
    CHECK(cudaFreeMipmappedArray(mipmap) != cudaSuccess);
  CHECK_CUDA(cudaFreeMipmappedArray(nullptr));
  CHECK_CUDA(cudaMallocMipmappedArray(&mipmap, &format, {4, 0, 0}, 0));
  CHECK_ERROR(cudaGetMipmappedArrayLevel(&level, mipmap, 1), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeMipmappedArray(mipmap));
  // Layers do not shrink.
  CHECK_CUDA(cudaMallocMipmappedArray(&mipmap, &format, {4, 4, 6}, 2, cudaArrayLayered));
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&level, mipmap, 1));
  CHECK_CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
  CHECK_EQ(extent.width, 2u);
  CHECK_EQ(extent.depth, 6u);
  CHECK_CUDA(cudaFreeMipmappedArray(mipmap));

  CHECK_ERROR(cudaMallocMipmappedArray(nullptr, &format, {4, 4, 0}, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocMipmappedArray(&mipmap, nullptr, {4, 4, 0}, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocMipmappedArray(&mipmap, &format, {0, 4, 0}, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocMipmappedArray(&mipmap, &format, {4, 8, 6}, 1, cudaArrayCubemap), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocMipmappedArray(&mipmap, &format, {1 << 20, 4, 0}, 1), cudaErrorInvalidValue);
  cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  CHECK_ERROR(cudaMallocMipmappedArray(&mipmap, &three, {4, 4, 0}, 1), cudaErrorInvalidChannelDescriptor);

  CUDA_ARRAY3D_DESCRIPTOR d = {};
  d.Width = d.Height = 4;
  d.Format = CU_AD_FORMAT_UNORM_INT8X4;
  d.NumChannels = 4;
  CUmipmappedArray driver = nullptr;
  CHECK_CU(cuMipmappedArrayCreate(&driver, &d, 3));
  CUarray driver_level = nullptr;
  CHECK_CU(cuMipmappedArrayGetLevel(&driver_level, driver, 2));
  CUDA_ARRAY3D_DESCRIPTOR back = {};
  CHECK_CU(cuArray3DGetDescriptor(&back, driver_level));
  CHECK_EQ(back.Width, 1u);
  CHECK_EQ(back.Format, CU_AD_FORMAT_UNORM_INT8X4);
  CHECK_OWN_ERROR(cuArrayDestroy(driver_level), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuMipmappedArrayDestroy(driver));
  CHECK_OWN_ERROR(cuMipmappedArrayDestroy(driver), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuMipmappedArrayGetLevel(&driver_level, nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
  d.NumChannels = 2;  // the format has 4
  CHECK_ERROR(cuMipmappedArrayCreate(&driver, &d, 1), CUDA_ERROR_INVALID_VALUE);
  return check_report();
}

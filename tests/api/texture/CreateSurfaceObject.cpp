// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surface objects: made of arrays whose flags allow stores, of the levels of a mipmapped array too.
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: C-2.3.3.7-01
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>
#include <initializer_list>

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr, without = nullptr, level = nullptr;
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK_CUDA(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore));
  CHECK_CUDA(cudaMallocArray(&without, &format, 8, 4));
  CHECK_CUDA(cudaMallocMipmappedArray(&mipmap, &format, {8, 4, 0}, 2, cudaArraySurfaceLoadStore));
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&level, mipmap, 1));

  cudaSurfaceObject_t surface = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  for (cudaArray_t good : {array, level}) {
    resource.res.array.array = good;
    CHECK_CUDA(cudaCreateSurfaceObject(&surface, &resource));
    cudaResourceDesc back = {};
    CHECK_CUDA(cudaGetSurfaceObjectResourceDesc(&back, surface));
    CHECK_EQ(back.resType, cudaResourceTypeArray);
    CHECK_EQ(back.res.array.array, good);
    CHECK_ERROR(cudaGetSurfaceObjectResourceDesc(nullptr, surface), cudaErrorInvalidValue);
    // A surface is no texture.
    cudaTextureDesc desc;
    CHECK_OWN_ERROR(cudaGetTextureObjectTextureDesc(&desc, surface), cudaErrorInvalidValue);
    CHECK_OWN_ERROR(cudaDestroyTextureObject(surface), cudaErrorInvalidValue);
    CHECK_CUDA(cudaDestroySurfaceObject(surface));
    CHECK_OWN_ERROR(cudaDestroySurfaceObject(surface), cudaErrorInvalidValue);
  }
  CHECK_ERROR(cudaCreateSurfaceObject(nullptr, &resource), cudaErrorInvalidValue);
  CHECK_ERROR(cudaCreateSurfaceObject(&surface, nullptr), cudaErrorInvalidValue);
  resource.res.array.array = without;
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &resource));  // made without the flag
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  CHECK_ERROR(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);

  CUDA_RESOURCE_DESC driver = {};
  driver.resType = CU_RESOURCE_TYPE_ARRAY;
  driver.res.array.hArray = reinterpret_cast<CUarray>(array);
  CUsurfObject object = 0;
  CHECK_CU(cuSurfObjectCreate(&object, &driver));
  CUDA_RESOURCE_DESC back = {};
  CHECK_CU(cuSurfObjectGetResourceDesc(&back, object));
  CHECK_EQ(back.res.array.hArray, driver.res.array.hArray);
  CHECK_CU(cuSurfObjectDestroy(object));
  CHECK_OWN_ERROR(cuSurfObjectDestroy(object), CUDA_ERROR_INVALID_VALUE);
  CHECK_CUDA(cudaFreeMipmappedArray(mipmap));
  if (check::is_own_driver())
    CHECK(cudaFreeArray(level) != cudaSuccess);  // it ended with the mipmapped array
  cudaFreeArray(array);
  cudaFreeArray(without);
  return check_report();
}

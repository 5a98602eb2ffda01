// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture objects of the driver API, and that all of them end with their context.
// RUN: %mcc %s -o %t -lcuda && %run %t
// covers: M-3.2.14-01
#include "check.h"

#include <cstring>
#include <cuda.h>

int main() {
  CUdevice device;
  CUcontext context;
  CUtexObject texture = 0;
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC sampler = {};
  CHECK_OWN_ERROR(cuTexObjectCreate(&texture, &resource, &sampler, nullptr), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_CU(cuInit(0));
  CHECK_ERROR(cuTexObjectCreate(&texture, &resource, &sampler, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_CU(cuDeviceGet(&device, 0));
  CHECK_CU(cuCtxCreate(&context, 0, device));

  CUDA_ARRAY3D_DESCRIPTOR d = {};
  d.Width = 8;
  d.Height = 4;
  d.Format = CU_AD_FORMAT_UNSIGNED_INT8;
  d.NumChannels = 4;
  CUmipmappedArray mipmap;
  CHECK_CU(cuMipmappedArrayCreate(&mipmap, &d, 4));
  resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  resource.res.mipmap.hMipmappedArray = mipmap;
  sampler.flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB;
  sampler.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CHECK_CU(cuTexObjectCreate(&texture, &resource, &sampler, nullptr));
  CUDA_RESOURCE_DESC resource_back = {};
  CUDA_TEXTURE_DESC sampler_back = {};
  CUDA_RESOURCE_VIEW_DESC view = {};
  CHECK_CU(cuTexObjectGetResourceDesc(&resource_back, texture));
  CHECK_CU(cuTexObjectGetTextureDesc(&sampler_back, texture));
  CHECK(memcmp(&resource_back, &resource, sizeof resource) == 0);
  CHECK(memcmp(&sampler_back, &sampler, sizeof sampler) == 0);
  CHECK_OWN_ERROR(cuTexObjectGetResourceViewDesc(&view, texture), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuTexObjectDestroy(texture));
  CHECK_OWN_ERROR(cuTexObjectDestroy(texture), CUDA_ERROR_INVALID_VALUE);

  CUtexObject none = 0;
  CHECK_ERROR(cuTexObjectCreate(nullptr, &resource, &sampler, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuTexObjectCreate(&none, nullptr, &sampler, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuTexObjectCreate(&none, &resource, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  sampler.flags = 0;  // levels need normalised coordinates
  CHECK_OWN_ERROR(cuTexObjectCreate(&none, &resource, &sampler, nullptr), CUDA_ERROR_INVALID_VALUE);
  sampler.flags = CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_READ_AS_INTEGER;  // integers are not filtered
  CHECK_OWN_ERROR(cuTexObjectCreate(&none, &resource, &sampler, nullptr), CUDA_ERROR_INVALID_VALUE);
  sampler.flags = 0x8000;
  CHECK_OWN_ERROR(cuTexObjectCreate(&none, &resource, &sampler, nullptr), CUDA_ERROR_INVALID_VALUE);
  sampler.flags = CU_TRSF_NORMALIZED_COORDINATES;
  resource.flags = 1;
  CHECK_OWN_ERROR(cuTexObjectCreate(&none, &resource, &sampler, nullptr), CUDA_ERROR_INVALID_VALUE);
  resource.flags = 0;
  view.lastMipmapLevel = 4;  // there are 0 to 3
  view.width = 8;
  view.height = 4;
  CHECK_ERROR(cuTexObjectCreate(&none, &resource, &sampler, &view), CUDA_ERROR_INVALID_VALUE);
  view.lastMipmapLevel = 3;
  view.format = CU_RES_VIEW_FORMAT_UINT_4X8;
  CHECK_CU(cuTexObjectCreate(&texture, &resource, &sampler, &view));
  CHECK_CU(cuCtxDestroy(context));
  CHECK_CU(cuCtxCreate(&context, 0, device));
  CHECK_OWN_ERROR(cuTexObjectGetTextureDesc(&sampler_back, texture), CUDA_ERROR_INVALID_VALUE);
  CHECK_OWN_ERROR(cuMipmappedArrayDestroy(mipmap), CUDA_ERROR_INVALID_HANDLE);
  return check_report();
}

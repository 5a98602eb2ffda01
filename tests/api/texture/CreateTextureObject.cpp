// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture objects of the runtime API: what can be made, what is given back, and each wrong description.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.14-01 C-2.3.3.7-01
#include "check.h"

#include <cstring>
#include <cuda_runtime.h>

static cudaTextureObject_t texture = 0;

static cudaError_t create(const cudaResourceDesc &resource, const cudaTextureDesc &desc,
                          const cudaResourceViewDesc *view = nullptr) {
  cudaError_t code = cudaCreateTextureObject(&texture, &resource, &desc, view);
  if (code == cudaSuccess) CHECK_CUDA(cudaDestroyTextureObject(texture));
  return code;
}

static void check_descriptions(const cudaResourceDesc &resource) {
  cudaTextureDesc desc = {};
  desc.addressMode[0] = cudaAddressModeMirror;
  desc.addressMode[1] = cudaAddressModeBorder;
  desc.readMode = cudaReadModeNormalizedFloat;
  desc.filterMode = cudaFilterModeLinear;
  desc.sRGB = 1;
  desc.borderColor[2] = 2.5f;
  desc.normalizedCoords = 1;
  desc.maxAnisotropy = 4;
  desc.mipmapFilterMode = cudaFilterModeLinear;
  desc.mipmapLevelBias = 0.25f;
  desc.minMipmapLevelClamp = 1;
  desc.maxMipmapLevelClamp = 3;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  cudaResourceDesc resource_back;
  cudaTextureDesc desc_back;
  memset(&resource_back, 0x55, sizeof resource_back);
  memset(&desc_back, 0x55, sizeof desc_back);
  CHECK_CUDA(cudaGetTextureObjectResourceDesc(&resource_back, texture));
  CHECK_CUDA(cudaGetTextureObjectTextureDesc(&desc_back, texture));
  if (check::is_own_driver())
    CHECK(memcmp(&desc_back, &desc, sizeof desc) == 0);
  CHECK_EQ(resource_back.resType, resource.resType);
  CHECK(memcmp(&resource_back.res, &resource.res, sizeof resource.res) == 0);
  cudaResourceViewDesc view;
  CHECK_OWN_ERROR(cudaGetTextureObjectResourceViewDesc(&view, texture), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetTextureObjectTextureDesc(nullptr, texture), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetTextureObjectResourceDesc(nullptr, texture), cudaErrorInvalidValue);
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  CHECK_OWN_ERROR(cudaGetTextureObjectTextureDesc(&desc_back, texture), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(cudaDestroyTextureObject(12345), cudaErrorInvalidValue);
}

int main() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array = nullptr;
  void *memory = nullptr;
  CHECK_CUDA(cudaMallocArray(&array, &format, 8, 4));
  CHECK_CUDA(cudaMalloc(&memory, 4096));
  cudaResourceDesc of_array = {}, linear = {}, pitched = {};
  of_array.resType = cudaResourceTypeArray;
  of_array.res.array.array = array;
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = memory;
  linear.res.linear.desc = format;
  linear.res.linear.sizeInBytes = 4096;
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = memory;
  pitched.res.pitch2D.desc = format;
  pitched.res.pitch2D.width = 8;
  pitched.res.pitch2D.height = 4;
  pitched.res.pitch2D.pitchInBytes = 64;
  check_descriptions(of_array);
  check_descriptions(linear);
  check_descriptions(pitched);

  cudaTextureDesc plain = {};
  CHECK_ERROR(cudaCreateTextureObject(nullptr, &of_array, &plain, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaCreateTextureObject(&texture, nullptr, &plain, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaCreateTextureObject(&texture, &of_array, nullptr, nullptr), cudaErrorInvalidValue);

  cudaTextureDesc desc = plain;
  desc.filterMode = cudaFilterModeLinear;  // of integers
  CHECK_ERROR(create(of_array, desc), cudaErrorInvalidFilterSetting);
  CHECK_ERROR(create(pitched, desc), cudaErrorInvalidFilterSetting);
  CHECK_CUDA(create(linear, desc));  // linear memory is never filtered
  desc.readMode = cudaReadModeNormalizedFloat;
  CHECK_CUDA(create(of_array, desc));
  desc = plain;
  desc.addressMode[1] = static_cast<cudaTextureAddressMode>(4);
  CHECK_ERROR(create(of_array, desc), cudaErrorInvalidValue);
  desc = plain;
  desc.mipmapFilterMode = static_cast<cudaTextureFilterMode>(2);
  CHECK_ERROR(create(of_array, desc), cudaErrorInvalidValue);

  cudaResourceDesc bad = of_array;
  bad.resType = static_cast<cudaResourceType>(7);
  CHECK_OWN_ERROR(create(bad, plain), cudaErrorInvalidValue);
  bad = of_array;
  bad.res.array.array = nullptr;
  CHECK(create(bad, plain) != cudaSuccess);
  bad = linear;
  bad.res.linear.devPtr = static_cast<char *>(memory) + 4;
  CHECK_OWN_ERROR(create(bad, plain), cudaErrorInvalidValue);
  bad = linear;
  bad.res.linear.devPtr = nullptr;
  CHECK_OWN_ERROR(create(bad, plain), cudaErrorInvalidValue);
  bad = linear;
  bad.res.linear.desc.y = 16;
  CHECK_ERROR(create(bad, plain), cudaErrorInvalidChannelDescriptor);
  bad = linear;
  bad.res.linear.sizeInBytes = 0;
  CHECK_CUDA(create(bad, plain));
  bad = pitched;
  bad.res.pitch2D.pitchInBytes = 33;
  CHECK_OWN_ERROR(create(bad, plain), cudaErrorInvalidValue);
  bad = pitched;
  bad.res.pitch2D.width = 17;  // of 4 bytes: more than the pitch
  CHECK_OWN_ERROR(create(bad, plain), cudaErrorInvalidValue);
  bad = pitched;
  bad.res.pitch2D.height = 0;
  CHECK_OWN_ERROR(create(bad, plain), cudaErrorInvalidValue);

  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatUnsignedInt1;
  view.width = 8;
  view.height = 4;
  CHECK_CUDA(create(of_array, plain, &view));
  CHECK_OWN_ERROR(create(linear, plain, &view), cudaErrorInvalidValue);
  CHECK_OWN_ERROR(create(pitched, plain, &view), cudaErrorInvalidValue);
  view.format = cudaResViewFormatUnsignedInt2;  // of another size
  CHECK_ERROR(create(of_array, plain, &view), cudaErrorInvalidValue);
  view.format = cudaResViewFormatUnsignedChar4;
  view.width = 7;
  CHECK_ERROR(create(of_array, plain, &view), cudaErrorInvalidValue);
  view.width = 8;
  view.lastLayer = 1;
  CHECK_ERROR(create(of_array, plain, &view), cudaErrorInvalidValue);
  view.lastLayer = 0;
  view.lastMipmapLevel = 1;
  CHECK_ERROR(create(of_array, plain, &view), cudaErrorInvalidValue);
  view.lastMipmapLevel = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &of_array, &plain, &view));
  cudaResourceViewDesc view_back;
  CHECK_CUDA(cudaGetTextureObjectResourceViewDesc(&view_back, texture));
  CHECK(memcmp(&view_back, &view, sizeof view) == 0);
  CHECK_CUDA(cudaDestroyTextureObject(texture));

  CHECK_CUDA(cudaDestroyTextureObject(0));
  CHECK_CUDA(cudaFree(memory));
  linear.res.linear.devPtr = memory;
  CHECK_OWN_ERROR(create(linear, plain), cudaErrorInvalidValue);  // freed
  CHECK_CUDA(cudaFreeArray(array));
  if (check::is_own_driver())
    CHECK(create(of_array, plain) != cudaSuccess);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 3.2.14: an image is rotated by a quarter through a texture object and through a texture reference; both give each texel
// at its new place. Lookups in normalised coordinates wrap around.
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && %run %t
// covers: M-3.2.14-01 M-3.2.14-02 M-3.2.14-04 M-3.2.14-05
#include "check.h"

#include <cstring>
#include <musa_runtime.h>

constexpr int kSize = 16;

texture<float, musaTextureType2D, musaReadModeElementType> reference;

__device__ float2 rotated() {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (x + 0.5f) / kSize - 0.5f, v = (y + 0.5f) / kSize - 0.5f;
  return make_float2(-v + 0.5f + 1, u + 0.5f - 2);  // whole turns of the coordinates change nothing
}
__device__ int place() {
  return (blockIdx.y * blockDim.y + threadIdx.y) * kSize + blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void by_object(float *output, musaTextureObject_t object) {
  float2 at = rotated();
  output[place()] = tex2D<float>(object, at.x, at.y);
}
__global__ void by_reference(float *output) {
  float2 at = rotated();
  output[place()] = tex2D(reference, at.x, at.y);
}

int main() {
  float image[kSize][kSize];
  for (int i = 0; i < kSize * kSize; ++i) image[i / kSize][i % kSize] = static_cast<float>(i);
  musaChannelFormatDesc format = musaCreateChannelDesc(32, 0, 0, 0, musaChannelFormatKindFloat);
  musaArray_t array = nullptr;
  CHECK_MUSA(musaMallocArray(&array, &format, kSize, kSize));
  CHECK_MUSA(musaMemcpy2DToArray(array, 0, 0, image, sizeof image[0], sizeof image[0], kSize, musaMemcpyHostToDevice));
  musaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = musaResourceTypeArray;
  resource.res.array.array = array;
  musaTextureDesc desc;
  memset(&desc, 0, sizeof desc);
  desc.addressMode[0] = desc.addressMode[1] = musaAddressModeWrap;
  desc.filterMode = musaFilterModePoint;
  desc.readMode = musaReadModeElementType;
  desc.normalizedCoords = 1;
  musaTextureObject_t object = 0;
  CHECK_MUSA(musaCreateTextureObject(&object, &resource, &desc, nullptr));
  float *output = nullptr;
  CHECK_MUSA(musaMallocManaged(&output, sizeof image));
  auto check = [&] {
    CHECK_MUSA(musaDeviceSynchronize());
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) CHECK_EQ(output[y * kSize + x], image[x][kSize - 1 - y]);
    memset(output, 0, sizeof image);
  };
  dim3 block(8, 8), grid(kSize / 8, kSize / 8);
  by_object<<<grid, block>>>(output, object);
  check();
  reference.addressMode[0] = reference.addressMode[1] = musaAddressModeWrap;
  reference.filterMode = musaFilterModePoint;
  reference.normalized = true;
  CHECK_MUSA(musaBindTextureToArray(reference, array, format));
  by_reference<<<grid, block>>>(output);
  check();
  textureReference *low_level = nullptr;
  CHECK_MUSA(musaGetTextureReference(&low_level, &reference));
  CHECK_MUSA(musaUnbindTexture(low_level));
  CHECK_MUSA(musaBindTextureToArray(low_level, array, &format));
  by_reference<<<grid, block>>>(output);
  check();
  CHECK_MUSA(musaDestroyTextureObject(object));
  musaFreeArray(array);
  musaFree(output);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layered textures, cube maps (with and without filtering across edges), levels of detail by number and by gradient,
// gathers.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.14-02 C-4.21.2-03
#include "check.h"

#include <cmath>
#include <cuda_runtime.h>
#include <vector>

constexpr int kMost = 64;
__managed__ float results[kMost];
__managed__ float4 vectors[kMost];

template <typename F> void fill(cudaArray_t array, F texel) {
  cudaExtent extent;
  CHECK_CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
  size_t height = extent.height ? extent.height : 1, depth = extent.depth ? extent.depth : 1;
  std::vector<float> data;
  for (size_t z = 0; z < depth; ++z)
    for (size_t y = 0; y < height; ++y)
      for (size_t x = 0; x < extent.width; ++x) data.push_back(texel(int(x), int(y), int(z)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(data.data(), extent.width * sizeof(float), extent.width, height);
  copy.dstArray = array;
  copy.extent = {extent.width, height, depth};
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
}

template <typename F> cudaArray_t make(cudaExtent extent, unsigned flags, F texel) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaMalloc3DArray(&array, &format, extent, flags));
  fill(array, texel);
  return array;
}

cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc &desc,
                               const cudaResourceViewDesc *view = nullptr) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, view));
  return texture;
}

cudaTextureDesc sampler(cudaTextureFilterMode filter, bool normalised) {
  cudaTextureDesc desc = {};
  for (auto &mode : desc.addressMode) mode = cudaAddressModeClamp;
  desc.filterMode = filter;
  desc.normalizedCoords = normalised;
  return desc;
}

__global__ void layers(cudaTextureObject_t one, cudaTextureObject_t two) {
  int i = threadIdx.x;
  results[i] = tex1DLayered<float>(one, i + 0.5f, i % 3) + 1000 * tex2DLayered<float>(two, i + 0.5f, 1.5f, i % 4);
}

void check_layers() {
  cudaArray_t one = make({8, 0, 3}, cudaArrayLayered, [](int x, int, int z) { return float(x + 10 * z); });
  cudaArray_t two =
      make({8, 2, 4}, cudaArrayLayered, [](int x, int y, int z) { return float(x + 10 * y + 100 * z); });
  cudaTextureDesc desc = sampler(cudaFilterModePoint, false);
  cudaTextureObject_t a = texture_of(one, desc), b = texture_of(two, desc);
  layers<<<1, 8>>>(a, b);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) CHECK_EQ(results[i], float(i + 10 * (i % 3) + 1000 * (i + 10 + 100 * (i % 4))));

  // A view of the layers 1 and 2 only: layer 0 is the array's layer 1, and numbers beyond the last mean the last.
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = 8;
  view.height = 2;
  view.depth = 4;
  view.firstLayer = 1;
  view.lastLayer = 2;
  cudaTextureObject_t c = texture_of(two, desc, &view);
  layers<<<1, 8>>>(a, c);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(results[0], 1000 * 110.0f);
  CHECK_EQ(results[3], 3.0f + 1000 * 213.0f);
  CHECK_CUDA(cudaDestroyTextureObject(a));
  CHECK_CUDA(cudaDestroyTextureObject(b));
  CHECK_CUDA(cudaDestroyTextureObject(c));
  cudaFreeArray(one);
  cudaFreeArray(two);
}

// The direction through the middle of texel (x, y) of a face, as the guide's table has it.
__host__ __device__ float3 direction(int face, float s, float t) {
  switch (face) {
  case 0: return make_float3(1, -t, -s);
  case 1: return make_float3(-1, -t, s);
  case 2: return make_float3(s, 1, t);
  case 3: return make_float3(s, -1, -t);
  case 4: return make_float3(s, -t, 1);
  default: return make_float3(-s, -t, -1);
  }
}

__global__ void cube(cudaTextureObject_t single, cudaTextureObject_t layered) {
  int face = threadIdx.x / 4, x = threadIdx.x % 2, y = threadIdx.x / 2 % 2;
  float3 d = direction(face, x - 0.5f, y - 0.5f);
  float scale = 3.0f;  // the length of a direction means nothing
  results[threadIdx.x] = texCubemap<float>(single, scale * d.x, scale * d.y, scale * d.z) +
                         1000 * texCubemapLayered<float>(layered, d.x, d.y, d.z, 1);
}

__global__ void across(cudaTextureObject_t single) {
  // Between faces 0 (+x) and 4 (+z), one eighth of a texel inside face 0: its s is -1 there.
  results[threadIdx.x] = texCubemap<float>(single, 1.0f, 0.5f, 0.875f);
}

void check_cubes() {
  auto texel = [](int x, int y, int z) { return float(x + 2 * y + 10 * z); };
  cudaArray_t single = make({2, 2, 6}, cudaArrayCubemap, texel);
  cudaArray_t layered = make({2, 2, 12}, cudaArrayCubemap | cudaArrayLayered, texel);
  cudaTextureDesc desc = sampler(cudaFilterModePoint, true);
  cudaTextureObject_t a = texture_of(single, desc), b = texture_of(layered, desc);
  cube<<<1, 24>>>(a, b);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 24; ++i) {
    float want = texel(i % 2, i / 2 % 2, i / 4);
    CHECK_EQ(results[i], want + 1000 * (want + 60));
  }
  // A linear filter stays on a face, or crosses its edge when the texture is seamless. On face 0 the point is at
  // s = (1 - 0.875) / 2 = 0.0625, t = 0.25: texel row 0, an eighth of a texel from the edge.
  desc.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t edged = texture_of(single, desc);
  across<<<1, 1>>>(edged);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(results[0], texel(0, 0, 0));
  desc.seamlessCubemap = 1;
  cudaTextureObject_t seamless = texture_of(single, desc);
  across<<<1, 1>>>(seamless);
  CHECK_CUDA(cudaDeviceSynchronize());
  // 0.0625 * 2 - 0.5 = -0.375: the texel of face 4 beyond the edge weighs 3/8; it is that at its right edge, row 0.
  CHECK_NEAR(results[0], 0.625f * texel(0, 0, 0) + 0.375f * texel(1, 0, 4), 1e-5);
  for (cudaTextureObject_t t : {a, b, edged, seamless}) CHECK_CUDA(cudaDestroyTextureObject(t));
  cudaFreeArray(single);
  cudaFreeArray(layered);
}

__global__ void levels(cudaTextureObject_t texture) {
  int i = threadIdx.x;
  results[i] = tex2DLod<float>(texture, 0.4f, 0.6f, i * 0.25f);
  float step = 0.0625f * (1 << i % 5);  // of 16 texels
  results[32 + i] = tex2DGrad<float>(texture, 0.4f, 0.6f, make_float2(step, 0), make_float2(0, step / 2));
}

void check_levels() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK_CUDA(cudaMallocMipmappedArray(&mipmap, &format, {16, 8, 0}, 99));
  // 16 x 8 has 5 levels. Level l is filled with 100 l.
  cudaArray_t level = nullptr;
  CHECK_ERROR(cudaGetMipmappedArrayLevel(&level, mipmap, 5), cudaErrorInvalidValue);
  for (int l = 0; l < 5; ++l) {
    CHECK_CUDA(cudaGetMipmappedArrayLevel(&level, mipmap, l));
    cudaExtent extent;
    CHECK_CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
    CHECK_EQ(extent.width, size_t(16 >> l));
    CHECK_EQ(extent.height, size_t(l < 4 ? 8 >> l : 1));
    fill(level, [&](int, int, int) { return 100.0f * l; });
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  cudaTextureDesc desc = sampler(cudaFilterModeLinear, true);
  desc.mipmapFilterMode = cudaFilterModeLinear;
  desc.maxMipmapLevelClamp = 3.5f;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  levels<<<1, 32>>>(texture);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK_NEAR(results[i], 100 * std::fmin(i * 0.25f, 3.5f), 1e-4);
    CHECK_NEAR(results[32 + i], 100 * std::fmin(i % 5, 3.5f), 1e-3);
  }
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  // The nearest level, with a bias and a lower bound.
  desc.mipmapFilterMode = cudaFilterModePoint;
  desc.mipmapLevelBias = 0.5f;
  desc.minMipmapLevelClamp = 1;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  levels<<<1, 32>>>(texture);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(results[0], 100.0f);
  CHECK_EQ(results[3], 100.0f);  // 0.75 + 0.5
  CHECK_EQ(results[5], 200.0f);  // 1.25 + 0.5
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  // A view that begins at level 2; its size is that of the first level.
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = 16;
  view.height = 8;
  view.firstMipmapLevel = 2;
  view.lastMipmapLevel = 3;
  desc.mipmapLevelBias = desc.minMipmapLevelClamp = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, &view));
  levels<<<1, 32>>>(texture);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(results[0], 200.0f);
  CHECK_EQ(results[16], 300.0f);
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  CHECK_CUDA(cudaFreeMipmappedArray(mipmap));
}

__global__ void gather(cudaTextureObject_t texture) {
  int i = threadIdx.x;
  vectors[i] = tex2Dgather<float4>(texture, 1.5f + i * 0.5f, 2.0f, 0);
}

void check_gather() {
  auto texel = [](int x, int y, int) { return float(x + 10 * y); };
  cudaArray_t array = make({8, 8, 0}, cudaArrayTextureGather, texel);
  cudaTextureObject_t texture = texture_of(array, sampler(cudaFilterModePoint, false));
  gather<<<1, 4>>>(texture);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) {
    int x = 1 + i / 2;  // the left one of the two columns
    CHECK_EQ(vectors[i].x, texel(x, 2, 0));
    CHECK_EQ(vectors[i].y, texel(x + 1, 2, 0));
    CHECK_EQ(vectors[i].z, texel(x + 1, 1, 0));
    CHECK_EQ(vectors[i].w, texel(x, 1, 0));
  }
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  cudaFreeArray(array);
}

int main() {
  check_layers();
  check_cubes();
  check_levels();
  check_gather();
  return check_report();
}

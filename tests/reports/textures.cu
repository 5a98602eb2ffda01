// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people reported of textures and surfaces in other implementations.
// report: ROCm/hip#1772, CUDA 2D textures and bilinear interpolation at border texels, Texture memory: tex2D basics, ROCm/clr#276
// report: ORNL/HeCBench#190, CHIP-SPV/chipStar#176, spectral-compute/scale-validation#58
// RUN: %mcc -O3 %s -o %t && %run %t
// covers: M-3.2.14-02 C-2.3.3.7-01
#include "check.h"

#include <cuda_runtime.h>

#include <cmath>
#include <vector>

constexpr int kWidth = 8, kHeight = 4;
float texel(int x, int y) { return static_cast<float>(100 * y + x * x + 1); }

cudaTextureObject_t texture_of(const cudaResourceDesc &resource, cudaTextureAddressMode address, cudaTextureFilterMode filter,
                               bool is_normalised) {
  cudaTextureDesc how = {};
  how.addressMode[0] = how.addressMode[1] = address;
  how.filterMode = filter;
  how.readMode = cudaReadModeElementType;
  how.normalizedCoords = is_normalised;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

struct Sources {
  cudaArray_t array;
  float *pitched;
  size_t pitch;
  cudaResourceDesc of_array = {}, of_pitched = {};
  Sources() {
    std::vector<float> texels;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) texels.push_back(texel(x, y));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK_CUDA(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArrayTextureGather | cudaArraySurfaceLoadStore));
    CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, texels.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMallocPitch(&pitched, &pitch, kWidth * 4, kHeight));
    CHECK_CUDA(cudaMemcpy2D(pitched, pitch, texels.data(), kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice));
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = array;
    of_pitched.resType = cudaResourceTypePitch2D;
    of_pitched.res.pitch2D = {pitched, format, kWidth, kHeight, pitch};
  }
};

__global__ void sample(cudaTextureObject_t texture, const float2 *at, float *out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = tex2D<float>(texture, at[i].x, at[i].y);
}
__global__ void gather(cudaTextureObject_t texture, float x, float y, float4 *out) { *out = tex2Dgather<float4>(texture, x, y, 0); }

int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
int wrapped(int i, int n) { return (i % n + n) % n; }

/// The value of linear filtering between texels, whose weights have 8 bits of fraction, by the guide's formula.
template <typename Place> double filtered(float x, float y, Place place) {
  auto split = [](float at, int &whole) {
    double moved = at - 0.5;
    whole = static_cast<int>(std::floor(moved));
    return std::round((moved - whole) * 256) / 256;
  };
  int i, j;
  double a = split(x, i), b = split(y, j);
  auto t = [&](int u, int v) { return static_cast<double>(texel(place(u, kWidth), place(v, kHeight))); };
  return (1 - a) * (1 - b) * t(i, j) + a * (1 - b) * t(i + 1, j) + (1 - a) * b * t(i, j + 1) + a * b * t(i + 1, j + 1);
}

std::vector<float> sampled(cudaTextureObject_t texture, const std::vector<float2> &at) {
  static float2 *places;
  static float *out;
  if (!places) {
    CHECK_CUDA(cudaMallocManaged(&places, 64 * sizeof(float2)));
    CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof(float)));
  }
  std::copy(at.begin(), at.end(), places);
  sample<<<1, 64>>>(texture, places, out, static_cast<int>(at.size()));
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  return std::vector<float>(out, out + at.size());
}

// Byte addresses in x, what lies outside by mode.
__global__ void through_surface(cudaSurfaceObject_t surface, float *out) {
  surf2Dwrite(7.5f, surface, 3 * 4, 2);
  surf2Dwrite(9.5f, surface, 4 * kWidth, 1, cudaBoundaryModeZero);  // ignored
  out[0] = surf2Dread<float>(surface, 3 * 4, 2);
  out[1] = surf2Dread<float>(surface, -4, 1, cudaBoundaryModeClamp);
  out[2] = surf2Dread<float>(surface, 4 * kWidth, 1, cudaBoundaryModeZero);
  out[3] = surf2Dread<float>(surface, 4 * (kWidth - 1), kHeight, cudaBoundaryModeClamp);
}

int main() {
  Sources sources;
  const std::vector<float2> places = {{-1.5f, 0.5f}, {-0.25f, 1.25f}, {0.f, 0.f}, {2.5f, 1.5f}, {3.f, 2.f}, {3.3f, 1.7f}, {7.9f, 3.9f}, {9.f, 5.f}, {20.f, -3.f}};

  // github.com/ROCm/hip/pull/1772: wrap and mirror with unnormalised coordinates are clamp
  for (cudaTextureAddressMode mode : {cudaAddressModeWrap, cudaAddressModeMirror, cudaAddressModeClamp}) {
    std::vector<float> got = sampled(texture_of(sources.of_array, mode, cudaFilterModePoint, false), places);
    for (size_t i = 0; i < places.size(); ++i) {
      int x = static_cast<int>(std::floor(places[i].x)), y = static_cast<int>(std::floor(places[i].y));
      CHECK_EQ(got[i], texel(clamped(x, kWidth), clamped(y, kHeight)));
    }
  }

  // newbe.dev/texture-memory-tex2d-basics: texels lie at + 0.5; github.com/ROCm/clr/issues/276: floats are filtered
  std::vector<float> got = sampled(texture_of(sources.of_array, cudaAddressModeClamp, cudaFilterModeLinear, false), places);
  for (size_t i = 0; i < places.size(); ++i) CHECK_NEAR(got[i], filtered(places[i].x, places[i].y, clamped), 1e-3);

  // forums.developer.nvidia.com/t/…/39465: at the border wrapping mixes the last and the first texel; github.com/ORNL/HeCBench/issues/190:
  // rows of pitched memory may be filtered too
  std::vector<float2> normalised;
  for (float2 place : places) normalised.push_back({place.x / kWidth, place.y / kHeight});
  for (const cudaResourceDesc *resource : {&sources.of_array, &sources.of_pitched}) {
    got = sampled(texture_of(*resource, cudaAddressModeWrap, cudaFilterModeLinear, true), normalised);
    for (size_t i = 0; i < places.size(); ++i) CHECK_NEAR(got[i], filtered(places[i].x, places[i].y, wrapped), 1e-3);
  }

  // github.com/CHIP-SPV/chipStar/issues/176: four texels, against the clock from the lower left one
  float4 *four;
  CHECK_CUDA(cudaMallocManaged(&four, sizeof *four));
  gather<<<1, 1>>>(texture_of(sources.of_array, cudaAddressModeClamp, cudaFilterModePoint, false), 3.f, 2.f, four);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(four->x, texel(2, 2));
  CHECK_EQ(four->y, texel(3, 2));
  CHECK_EQ(four->z, texel(3, 1));
  CHECK_EQ(four->w, texel(2, 1));

  // github.com/spectral-compute/scale-validation/issues/58
  cudaSurfaceObject_t surface;
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &sources.of_array));
  float *read;
  CHECK_CUDA(cudaMallocManaged(&read, 4 * sizeof *read));
  through_surface<<<1, 1>>>(surface, read);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(read[0], 7.5f);
  CHECK_EQ(read[1], texel(0, 1));
  CHECK_EQ(read[2], 0.0f);
  CHECK_EQ(read[3], texel(kWidth - 1, kHeight - 1));
  return check_report();
}

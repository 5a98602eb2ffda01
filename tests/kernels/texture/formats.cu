// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every type of texel with 1, 2 and 4 channels: as elements and as fractions, from arrays, linear and pitched memory;
// half precision; sRGB; views as another format.
// RUN: %mcc %s -o %t && %run %t
// covers: M-3.2.14-02 B-6-03
#include "check.h"

#include <cmath>
#include <cstring>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <vector>

constexpr int kWidth = 16, kHeight = 4;

template <typename T> __global__ void fetch_2d(cudaTextureObject_t texture, T *out) {
  int x = threadIdx.x, y = threadIdx.y;
  out[y * kWidth + x] = tex2D<T>(texture, x + 0.5f, y + 0.5f);
}

template <typename T> __global__ void fetch_linear(cudaTextureObject_t texture, T *out) {
  int i = threadIdx.y * blockDim.x + threadIdx.x;
  tex1Dfetch(&out[i], texture, i);
}

template <typename T> struct Managed {
  T *data;
  explicit Managed(size_t n) { CHECK_CUDA(cudaMallocManaged(&data, n * sizeof(T))); }
  ~Managed() { cudaFree(data); }
};

cudaTextureObject_t texture_of(const cudaResourceDesc &resource, cudaTextureReadMode mode, bool srgb = false,
                               const cudaResourceViewDesc *view = nullptr) {
  cudaTextureDesc desc = {};
  desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
  desc.readMode = mode;
  desc.sRGB = srgb;
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, view));
  return texture;
}

// The three kinds of memory that can hold kWidth x kHeight elements.
struct Resources {
  cudaArray_t array = nullptr;
  void *pitched = nullptr, *linear = nullptr;
  cudaResourceDesc descs[3] = {};

  Resources(const void *data, size_t element, const cudaChannelFormatDesc &format) {
    const size_t row = kWidth * element;
    size_t pitch = 0;
    CHECK_CUDA(cudaMallocArray(&array, &format, kWidth, kHeight));
    CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, data, row, row, kHeight, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMallocPitch(&pitched, &pitch, row, kHeight));
    CHECK_CUDA(cudaMemcpy2D(pitched, pitch, data, row, row, kHeight, cudaMemcpyHostToDevice));
    CHECK_CUDA(cudaMalloc(&linear, row * kHeight));
    CHECK_CUDA(cudaMemcpy(linear, data, row * kHeight, cudaMemcpyHostToDevice));
    descs[0].resType = cudaResourceTypeArray;
    descs[0].res.array.array = array;
    descs[1].resType = cudaResourceTypePitch2D;
    descs[1].res.pitch2D.devPtr = pitched;
    descs[1].res.pitch2D.desc = format;
    descs[1].res.pitch2D.width = kWidth;
    descs[1].res.pitch2D.height = kHeight;
    descs[1].res.pitch2D.pitchInBytes = pitch;
    descs[2].resType = cudaResourceTypeLinear;
    descs[2].res.linear.devPtr = linear;
    descs[2].res.linear.desc = format;
    descs[2].res.linear.sizeInBytes = row * kHeight;
  }
  ~Resources() {
    cudaFreeArray(array);
    cudaFree(pitched);
    cudaFree(linear);
  }
};

template <typename T> void fetch_all(cudaTextureObject_t texture, bool linear, T *out) {
  if (linear) {
    fetch_linear<T><<<1, dim3(kWidth, kHeight)>>>(texture, out);
  } else {
    fetch_2d<T><<<1, dim3(kWidth, kHeight)>>>(texture, out);
  }
  CHECK_CUDA(cudaDeviceSynchronize());
}

template <typename T> std::vector<T> pattern() {
  std::vector<T> data(kWidth * kHeight);
  auto *bytes = reinterpret_cast<unsigned char *>(data.data());
  for (size_t i = 0; i < data.size() * sizeof(T); ++i) bytes[i] = static_cast<unsigned char>(i * 37 + (i >> 3) + 128);
  return data;
}

template <typename T> void check_elements() {
  std::vector<T> data = pattern<T>();
  Resources resources(data.data(), sizeof(T), cudaCreateChannelDesc<T>());
  Managed<T> out(data.size());
  for (const cudaResourceDesc &resource : resources.descs) {
    cudaTextureObject_t texture = texture_of(resource, cudaReadModeElementType);
    memset(out.data, 0x55, data.size() * sizeof(T));
    fetch_all(texture, resource.resType == cudaResourceTypeLinear, out.data);
    CHECK(memcmp(out.data, data.data(), data.size() * sizeof(T)) == 0);
    CHECK_CUDA(cudaDestroyTextureObject(texture));
  }
}

// Integers as fractions: T has the channels of F, a float vector.
template <typename T, typename F, typename S> void check_fractions(float largest) {
  constexpr int kChannels = sizeof(F) / sizeof(float);
  std::vector<T> data = pattern<T>();
  Resources resources(data.data(), sizeof(T), cudaCreateChannelDesc<T>());
  Managed<F> out(data.size());
  for (const cudaResourceDesc &resource : resources.descs) {
    cudaTextureObject_t texture = texture_of(resource, cudaReadModeNormalizedFloat);
    fetch_all(texture, resource.resType == cudaResourceTypeLinear, out.data);
    const S *in = reinterpret_cast<const S *>(data.data());
    const float *got = reinterpret_cast<const float *>(out.data);
    for (int i = 0; i < kWidth * kHeight * kChannels; ++i) {
      float want = std::fmax(static_cast<float>(in[i]) / largest, -1.0f);
      CHECK_NEAR(got[i], want, 1e-7);
    }
    CHECK_CUDA(cudaDestroyTextureObject(texture));
  }
}

void check_half() {
  std::vector<__half> data(kWidth * kHeight * 4);
  for (size_t i = 0; i < data.size(); ++i) data[i] = __float2half(static_cast<float>(i) * 0.25f - 20.0f);
  Resources resources(data.data(), 8, cudaCreateChannelDescHalf4());
  Managed<float4> out(kWidth * kHeight);
  for (const cudaResourceDesc &resource : resources.descs) {
    cudaTextureObject_t texture = texture_of(resource, cudaReadModeElementType);
    fetch_all(texture, resource.resType == cudaResourceTypeLinear, out.data);
    for (int i = 0; i < kWidth * kHeight * 4; ++i)
      CHECK_EQ(reinterpret_cast<float *>(out.data)[i], static_cast<float>(i) * 0.25f - 20.0f);
    CHECK_CUDA(cudaDestroyTextureObject(texture));
  }
}

void check_srgb() {
  std::vector<uchar4> data = pattern<uchar4>();
  Resources resources(data.data(), sizeof(uchar4), cudaCreateChannelDesc<uchar4>());
  Managed<float4> out(data.size());
  cudaTextureObject_t texture = texture_of(resources.descs[0], cudaReadModeNormalizedFloat, true);
  fetch_all(texture, false, out.data);
  auto linear = [](unsigned char v) {
    double c = v / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  // Texture units keep eight significant bits (an H200's table has such values, some of them not the nearest).
  for (size_t i = 0; i < data.size(); ++i) {
    CHECK_NEAR(out.data[i].x, linear(data[i].x), linear(data[i].x) / 128);
    CHECK_NEAR(out.data[i].z, linear(data[i].z), linear(data[i].z) / 128);
    CHECK_NEAR(out.data[i].w, data[i].w / 255.0, 1e-6);
  }
  CHECK_CUDA(cudaDestroyTextureObject(texture));
}

// An array of 32-bit integers, seen as four bytes each.
void check_view() {
  std::vector<unsigned> data = pattern<unsigned>();
  Resources resources(data.data(), sizeof(unsigned), cudaCreateChannelDesc<unsigned>());
  Managed<uchar4> out(data.size());
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatUnsignedChar4;
  view.width = kWidth;
  view.height = kHeight;
  cudaTextureObject_t texture = texture_of(resources.descs[0], cudaReadModeElementType, false, &view);
  fetch_all(texture, false, out.data);
  CHECK(memcmp(out.data, data.data(), data.size() * 4) == 0);
  CHECK_CUDA(cudaDestroyTextureObject(texture));
}

// Outside linear memory a fetch gives zero.
void check_outside() {
  std::vector<int> data = pattern<int>();
  Resources resources(data.data(), sizeof(int), cudaCreateChannelDesc<int>());
  resources.descs[2].res.linear.sizeInBytes = 10 * sizeof(int);
  Managed<int> out(kWidth * kHeight);
  cudaTextureObject_t texture = texture_of(resources.descs[2], cudaReadModeElementType);
  fetch_all(texture, true, out.data);
  for (int i = 0; i < kWidth * kHeight; ++i) CHECK_EQ(out.data[i], i < 10 ? data[i] : 0);
  CHECK_CUDA(cudaDestroyTextureObject(texture));
}

int main() {
  check_elements<char>();
  check_elements<char4>();
  check_elements<short>();
  check_elements<int>();
  check_elements<int4>();
  check_elements<float4>();
  check_fractions<char2, float2, signed char>(127);
  check_fractions<uchar4, float4, unsigned char>(255);
  check_fractions<short2, float2, short>(32767);
  check_half();
  check_srgb();
  check_view();
  check_outside();
  return check_report();
}

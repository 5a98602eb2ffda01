// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mcc %s -o %t && %run %t > %t.out && diff %S/textures.expected %t.out
// covers: M-3.2.14-02
// Prints what textures give on a grid of coordinates in each mode, what surfaces do at their edges, and the codes of wrong
// descriptions. The expected lines are the CPU's. textures.h200 has those of an H200, made with
//   nvcc -arch=native textures.cu -o textures && ./textures > textures.h200
// Three of 142 lines have other bits there: the corners of a seamless cube, and the levels that some gradients ask for.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

constexpr int kPoints = 24;
__managed__ float results[kPoints * 4];
__managed__ int integers[kPoints];

struct Sampler {
  cudaTextureDesc desc = {};
  Sampler(cudaTextureAddressMode address, cudaTextureFilterMode filter, bool normalised,
          cudaTextureReadMode read = cudaReadModeElementType) {
    for (auto &mode : desc.addressMode) mode = address;
    desc.filterMode = filter;
    desc.normalizedCoords = normalised;
    desc.readMode = read;
    for (int i = 0; i < 4; ++i) desc.borderColor[i] = 0.25f * (i + 1);
  }
};

template <typename T> cudaArray_t make(cudaExtent extent, const std::vector<T> &data, unsigned flags = 0) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  cudaMalloc3DArray(&array, &format, extent, flags);
  size_t height = extent.height ? extent.height : 1, depth = extent.depth ? extent.depth : 1;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T *>(data.data()), extent.width * sizeof(T), extent.width, height);
  copy.dstArray = array;
  copy.extent = {extent.width, height, depth};
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  return array;
}

cudaTextureObject_t texture_of(cudaArray_t array, const Sampler &sampler) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t texture = 0;
  cudaError_t code = cudaCreateTextureObject(&texture, &resource, &sampler.desc, nullptr);
  if (code != cudaSuccess) printf("create: %s\n", cudaGetErrorName(code));
  return texture;
}

void print(const char *what, int n) {
  cudaError_t code = cudaDeviceSynchronize();
  printf("%s:", what);
  if (code != cudaSuccess) printf(" %s", cudaGetErrorName(code));
  for (int i = 0; i < n; ++i) printf(" %.9g", results[i]);
  printf("\n");
}

__global__ void line(cudaTextureObject_t t, float from, float step) { results[threadIdx.x] = tex1D<float>(t, from + step * threadIdx.x); }
__global__ void diagonal(cudaTextureObject_t t, float from, float step) {
  results[threadIdx.x] = tex2D<float>(t, from + step * threadIdx.x, 0.7f * from + 0.6f * step * threadIdx.x);
}
__global__ void diagonal4(cudaTextureObject_t t, float from, float step) {
  float4 v = tex2D<float4>(t, from + step * threadIdx.x, 0.7f * from + 0.6f * step * threadIdx.x);
  results[threadIdx.x * 4] = v.x;
  results[threadIdx.x * 4 + 1] = v.y;
  results[threadIdx.x * 4 + 2] = v.z;
  results[threadIdx.x * 4 + 3] = v.w;
}
__global__ void solid(cudaTextureObject_t t, float from, float step) {
  float p = from + step * threadIdx.x;
  results[threadIdx.x] = tex3D<float>(t, p, 0.7f * p, 0.4f * p);
}
__global__ void whole(cudaTextureObject_t t, float from, float step) {
  integers[threadIdx.x] = tex2D<int>(t, from + step * threadIdx.x, 0.5f);
}
__global__ void layered(cudaTextureObject_t t) { results[threadIdx.x] = tex2DLayered<float>(t, 0.5f, 0.5f, int(threadIdx.x) - 2); }
__global__ void cube(cudaTextureObject_t t) {
  float a = threadIdx.x * 0.55f;
  results[threadIdx.x] = texCubemap<float>(t, 1.0f - 0.3f * a, 0.4f * a - 0.9f, 0.8f - 0.1f * a * a);
}
__global__ void lod(cudaTextureObject_t t) { results[threadIdx.x] = tex2DLod<float>(t, 0.3f, 0.6f, threadIdx.x * 0.25f - 0.5f); }
__global__ void gradient(cudaTextureObject_t t) {
  float d = 0.01f * (1 + threadIdx.x);
  results[threadIdx.x] = tex2DGrad<float>(t, 0.3f, 0.6f, make_float2(d, 0), make_float2(0, 0.3f * d));
}
__global__ void gather(cudaTextureObject_t t) {
  float4 v = tex2Dgather<float4>(t, 1.0f + threadIdx.x * 0.2501f, 1.75f, 0);
  results[threadIdx.x * 4] = v.x;
  results[threadIdx.x * 4 + 1] = v.y;
  results[threadIdx.x * 4 + 2] = v.z;
  results[threadIdx.x * 4 + 3] = v.w;
}
__global__ void special(cudaTextureObject_t t) {
  const float at[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1.0f / 3.0f, 0.99999994f, 1.0f};
  results[threadIdx.x] = tex1D<float>(t, at[threadIdx.x]);
}
__global__ void beyond(cudaTextureObject_t t) { results[threadIdx.x] = tex1Dfetch<float>(t, int(threadIdx.x) - 4); }
__global__ void edge(cudaSurfaceObject_t s) { surf2Dwrite(1.0f, s, 1 << 20, 0); }

const char *const kAddress[] = {"wrap", "clamp", "mirror", "border"};

void modes() {
  std::vector<float> data;
  for (int i = 0; i < 8 * 5 * 3; ++i) data.push_back(float((i * 37) % 101) + 0.125f * (i % 7));
  cudaArray_t one = make<float>({8, 0, 0}, data), two = make<float>({8, 5, 0}, data), three = make<float>({8, 5, 3}, data);
  for (int address = 0; address < 4; ++address)
    for (int linear = 0; linear < 2; ++linear)
      for (int normalised = 0; normalised < 2; ++normalised) {
        Sampler sampler(cudaTextureAddressMode(address), cudaTextureFilterMode(linear), normalised);
        float from = normalised ? -0.61f : -2.13f, step = normalised ? 0.0931f : 0.5617f;
        cudaTextureObject_t t[3] = {texture_of(one, sampler), texture_of(two, sampler), texture_of(three, sampler)};
        printf("%s %s %s\n", kAddress[address], linear ? "linear" : "point", normalised ? "normalised" : "texels");
        line<<<1, kPoints>>>(t[0], from, step);
        print(" 1D", kPoints);
        diagonal<<<1, kPoints>>>(t[1], from, step);
        print(" 2D", kPoints);
        solid<<<1, kPoints>>>(t[2], from, step);
        print(" 3D", kPoints);
        special<<<1, 8>>>(t[0]);
        print(" special", 8);
        for (auto texture : t) cudaDestroyTextureObject(texture);
      }
}

template <typename T> void fractions(const char *name) {
  std::vector<T> data(8 * 5);
  for (size_t i = 0; i < data.size() * sizeof(T); ++i) reinterpret_cast<unsigned char *>(data.data())[i] = (unsigned char)(i * 67 + 5);
  cudaArray_t array = make<T>({8, 5, 0}, data);
  for (int linear = 0; linear < 2; ++linear)
    for (int srgb = 0; srgb < (sizeof(T) == 4 ? 2 : 1); ++srgb) {
      Sampler sampler(cudaAddressModeBorder, cudaTextureFilterMode(linear), false, cudaReadModeNormalizedFloat);
      sampler.desc.sRGB = srgb;
      cudaTextureObject_t t = texture_of(array, sampler);
      printf("%s %s%s\n", name, linear ? "linear" : "point", srgb ? " sRGB" : "");
      diagonal4<<<1, kPoints>>>(t, -1.13f, 0.4617f);
      print(" ", kPoints * 4);
    }
}

void shapes() {
  std::vector<float> data;
  for (int i = 0; i < 4 * 4 * 6; ++i) data.push_back(float((i * 29) % 97));
  Sampler point(cudaAddressModeClamp, cudaFilterModePoint, true), linear(cudaAddressModeClamp, cudaFilterModeLinear, true);
  layered<<<1, 9>>>(texture_of(make<float>({4, 4, 6}, data, cudaArrayLayered), point));
  print("layers -2 to 6 of 6", 9);
  cudaArray_t faces = make<float>({4, 4, 6}, data, cudaArrayCubemap);
  cube<<<1, kPoints>>>(texture_of(faces, point));
  print("cube point", kPoints);
  cube<<<1, kPoints>>>(texture_of(faces, linear));
  print("cube linear", kPoints);
  Sampler seamless = linear;
  seamless.desc.seamlessCubemap = 1;
  cube<<<1, kPoints>>>(texture_of(faces, seamless));
  print("cube seamless", kPoints);
  gather<<<1, 12>>>(texture_of(make<float>({4, 4, 0}, data, cudaArrayTextureGather), Sampler(cudaAddressModeClamp, cudaFilterModePoint, false)));
  print("gather", 48);
}

void levels() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap = nullptr;
  cudaMallocMipmappedArray(&mipmap, &format, {16, 8, 0}, 5);
  for (int l = 0; l < 5; ++l) {
    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, mipmap, l);
    std::vector<float> data;
    size_t w = 16 >> l, h = l < 4 ? 8 >> l : 1;
    for (size_t i = 0; i < w * h; ++i) data.push_back(float(1000 * l + (i * 13) % 31));
    cudaMemcpy2DToArray(level, 0, 0, data.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  for (int k = 0; k < 6; ++k) {
    Sampler s(cudaAddressModeClamp, cudaTextureFilterMode(k & 1), true);
    s.desc.mipmapFilterMode = cudaTextureFilterMode(k >> 1 & 1);
    s.desc.maxMipmapLevelClamp = 3.3f;
    if (k >= 4) {
      s.desc.mipmapLevelBias = 0.3f;
      s.desc.minMipmapLevelClamp = 0.7f;
    }
    cudaTextureObject_t t = 0;
    cudaCreateTextureObject(&t, &resource, &s.desc, nullptr);
    printf("levels, case %d\n", k);
    lod<<<1, 20>>>(t);
    print(" lod", 20);
    gradient<<<1, 20>>>(t);
    print(" gradient", 20);
  }
}

void codes() {
  std::vector<int> data(8, 3);
  cudaArray_t array = make<int>({8, 1, 0}, data);
  texture_of(array, Sampler(cudaAddressModeClamp, cudaFilterModeLinear, false));
  cudaTextureObject_t t = texture_of(array, Sampler(cudaAddressModeBorder, cudaFilterModePoint, false));
  whole<<<1, 12>>>(t, -1.5f, 1.0f);
  cudaDeviceSynchronize();
  printf("border of integers:");
  for (int i = 0; i < 12; ++i) printf(" 0x%x", integers[i]);
  float *memory = nullptr;
  cudaMalloc(&memory, 4096);
  cudaResourceDesc resource = {};
  cudaTextureDesc desc = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.devPtr = memory;
  resource.res.linear.sizeInBytes = 16;
  cudaMemset(memory, 0x3f, 4096);
  cudaCreateTextureObject(&t, &resource, &desc, nullptr);
  beyond<<<1, 12>>>(t);
  printf("\n");
  print("linear memory outside", 12);
  auto code = [&](const char *what) {
    printf("%s: %s\n", what, cudaGetErrorName(cudaCreateTextureObject(&t, &resource, &desc, nullptr)));
    cudaGetLastError();
  };
  resource.res.linear.devPtr = memory + 1;
  code("misaligned");
  resource.res.linear.devPtr = nullptr;
  code("null");
  resource.res.linear.devPtr = memory;
  resource.res.linear.sizeInBytes = 0;
  code("no bytes");
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 8;
  resource.res.pitch2D.height = 4;
  resource.res.pitch2D.pitchInBytes = 36;
  code("pitch");
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = nullptr;
  code("no array");
  printf("destroy 0: %s\n", cudaGetErrorName(cudaDestroyTextureObject(0)));
  cudaArray_t plain = make<float>({8, 4, 0}, std::vector<float>(32, 1.0f));
  resource.res.array.array = plain;
  cudaSurfaceObject_t s = 0;
  printf("surface without the flag: %s\n", cudaGetErrorName(cudaCreateSurfaceObject(&s, &resource)));
  cudaGetLastError();
  resource.res.array.array = make<float>({8, 4, 0}, std::vector<float>(32, 1.0f), cudaArraySurfaceLoadStore);
  cudaCreateSurfaceObject(&s, &resource);
  edge<<<1, 1>>>(s);
  printf("surface trap: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

int main() {
  modes();
  fractions<unsigned char>("uchar");
  fractions<char4>("char4");
  fractions<uchar4>("uchar4");
  fractions<ushort2>("ushort2");
  shapes();
  levels();
  codes();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Surface stores and loads: sizes of 1 to 16 bytes, all shapes, what happens outside, and that a texture of a later
// kernel sees what was stored.
// gpu: no (its report is the CPU driver's)
// RUN: %mcc %s -o %t && %run %t 2> %t.err && grep "accessed outside" %t.err
// covers: C-2.3.3.7-01 M-3.2.14-06
#include "check.h"

#include <cstring>
#include <cuda_runtime.h>

constexpr int kWidth = 8, kHeight = 4;
__managed__ int results[64];

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

template <typename T> __device__ T value(int i) {
  T v;
  for (unsigned b = 0; b < sizeof(T); ++b) reinterpret_cast<unsigned char *>(&v)[b] = static_cast<unsigned char>(i * 16 + b);
  return v;
}

template <typename T> __global__ void write_2d(cudaSurfaceObject_t surface) {
  int x = threadIdx.x, y = threadIdx.y;
  surf2Dwrite(value<T>(y * kWidth + x), surface, x * sizeof(T), y);
}

template <typename T> __global__ void read_2d(cudaSurfaceObject_t surface, T *out) {
  int x = threadIdx.x, y = threadIdx.y;
  out[y * kWidth + x] = surf2Dread<T>(surface, x * sizeof(T), y);
}

template <typename T> void check_type(const cudaChannelFormatDesc &format) {
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore));
  cudaSurfaceObject_t surface = surface_of(array);
  T *out;
  CHECK_CUDA(cudaMallocManaged(&out, kWidth * kHeight * sizeof(T)));
  write_2d<T><<<1, dim3(kWidth, kHeight)>>>(surface);
  read_2d<T><<<1, dim3(kWidth, kHeight)>>>(surface, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < kWidth * kHeight; ++i)
    for (unsigned b = 0; b < sizeof(T); ++b)
      CHECK_EQ(reinterpret_cast<unsigned char *>(out + i)[b], static_cast<unsigned char>(i * 16 + b));
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  cudaFree(out);
  cudaFreeArray(array);
}

__global__ void shapes(cudaSurfaceObject_t one, cudaSurfaceObject_t three, cudaSurfaceObject_t layers,
                       cudaSurfaceObject_t cube) {
  int i = threadIdx.x;
  surf1Dwrite(i + 1, one, i * 4);
  surf3Dwrite(i + 100, three, i % 2 * 4, i / 2 % 2, i / 4);
  surf2DLayeredwrite(i + 200, layers, i % 2 * 4, i / 2 % 2, i / 4);
  surfCubemapwrite(i + 300, cube, i % 2 * 4, i / 2 % 2, i / 4);
  __syncthreads();
  int j = 7 - i, got;
  surf1Dread(&got, one, j * 4);
  results[i] = got;
  results[8 + i] = surf3Dread<int>(three, j % 2 * 4, j / 2 % 2, j / 4);
  results[16 + i] = surf2DLayeredread<int>(layers, j % 2 * 4, j / 2 % 2, j / 4);
  results[24 + i] = surfCubemapread<int>(cube, j % 2 * 4, j / 2 % 2, j / 4);
}

cudaArray_t ints(cudaExtent extent, unsigned flags) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
  return array;
}

void check_shapes() {
  cudaArray_t arrays[] = {ints({8, 0, 0}, 0), ints({2, 2, 2}, 0), ints({2, 2, 2}, cudaArrayLayered),
                          ints({2, 2, 6}, cudaArrayCubemap)};
  cudaSurfaceObject_t surfaces[4];
  for (int i = 0; i < 4; ++i) surfaces[i] = surface_of(arrays[i]);
  shapes<<<1, 8>>>(surfaces[0], surfaces[1], surfaces[2], surfaces[3]);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) {
    CHECK_EQ(results[i], 8 - i);
    CHECK_EQ(results[8 + i], 107 - i);
    CHECK_EQ(results[16 + i], 207 - i);
    CHECK_EQ(results[24 + i], 307 - i);
  }
  for (int i = 0; i < 4; ++i) {
    cudaDestroySurfaceObject(surfaces[i]);
    cudaFreeArray(arrays[i]);
  }
}

__global__ void outside(cudaSurfaceObject_t surface) {
  int i = threadIdx.x;
  results[i] = surf1Dread<int>(surface, (i - 2) * 4, cudaBoundaryModeZero);
  results[8 + i] = surf1Dread<int>(surface, (i - 2) * 4, cudaBoundaryModeClamp);
  surf1Dwrite(77, surface, (i + 4) * 4, cudaBoundaryModeZero);  // nowhere
}

__global__ void fetch(cudaTextureObject_t texture) { results[threadIdx.x] = tex1D<int>(texture, threadIdx.x + 0.5f); }

__global__ void trap(cudaSurfaceObject_t surface) { surf1Dwrite(1, surface, 16 + 4 * threadIdx.x); }

void check_outside() {
  cudaArray_t array = ints({4, 0, 0}, 0);
  int data[4] = {10, 11, 12, 13};
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, data, sizeof data, sizeof data, 1, cudaMemcpyHostToDevice));
  cudaSurfaceObject_t surface = surface_of(array);
  outside<<<1, 8>>>(surface);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) {
    int x = i - 2;
    CHECK_EQ(results[i], x < 0 || x > 3 ? 0 : 10 + x);
    CHECK_EQ(results[8 + i], x < 0 ? 10 : x > 3 ? 13 : 10 + x);
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc desc = {};
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  fetch<<<1, 4>>>(texture);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) CHECK_EQ(results[i], 10 + i);
  trap<<<1, 1>>>(surface);
  CHECK_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

int main() {
  check_type<unsigned char>(cudaCreateChannelDesc<unsigned char>());
  check_type<short>(cudaCreateChannelDesc<short>());
  check_type<uchar4>(cudaCreateChannelDesc<uchar4>());
  check_type<float>(cudaCreateChannelDesc<float>());
  check_type<ushort4>(cudaCreateChannelDesc<ushort4>());
  check_type<unsigned long long>(cudaCreateChannelDesc<int2>());
  check_type<float4>(cudaCreateChannelDesc<float4>());
  check_shapes();
  check_outside();
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references, as older programs use them: linear memory, pitched memory, arrays, both the typed and
// the untyped binding functions, fractions, settings that change between bindings.
// RUN: %mcc -Wno-deprecated-declarations %s -o %t && %run %t
// covers: M-3.2.14-04 M-3.2.14-05 B-5-03 B-6-03
#include "check.h"

#include <cuda_runtime.h>

texture<float, 2, cudaReadModeElementType> image;
texture<int> numbers;
static texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> colours;
texture<float, 3> volume;
texture<float2, cudaTextureType2DLayered> layers;
surface<void, cudaSurfaceType2D> canvas;

__managed__ float results[64];

__global__ void fetch_image() { results[threadIdx.x] = tex2D(image, threadIdx.x * 0.5f + 0.5f, 1.5f); }
__global__ void fetch_normalised() { results[threadIdx.x] = tex2D(image, (threadIdx.x + 0.5f) / 4, 0.75f); }
__global__ void fetch_numbers() { results[threadIdx.x] = tex1Dfetch(numbers, threadIdx.x); }
__global__ void fetch_colours() {
  float4 c = tex1Dfetch(colours, threadIdx.x);
  results[threadIdx.x] = c.x + 10 * c.w;
}
__global__ void fetch_volume() { results[threadIdx.x] = tex3D(volume, 0.5f, 0.5f, threadIdx.x + 0.5f); }
__global__ void fetch_layers() { results[threadIdx.x] = tex2DLayered(layers, 0.5f, 0.5f, threadIdx.x).y; }
__global__ void paint() {
  surf2Dwrite(float(threadIdx.x + 40), canvas, threadIdx.x * 4, 0);
  results[threadIdx.x] = surf2Dread<float>(canvas, threadIdx.x * 4, 1);
}

void run(void (*kernel)(), int threads) {
  kernel<<<1, threads>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
}

void check_array() {
  float texels[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK_CUDA(cudaMallocArray(&array, &format, 4, 2, cudaArraySurfaceLoadStore));
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 2, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaBindTextureToArray(image, array));
  run(fetch_image, 4);
  for (int i = 0; i < 4; ++i) CHECK_EQ(results[i], 10.0f + (i + 1) / 2);
  image.filterMode = cudaFilterModeLinear;
  const textureReference *untyped = nullptr;
  CHECK_CUDA(cudaGetTextureReference(&untyped, &image));
  CHECK_CUDA(cudaBindTextureToArray(untyped, array, &format));
  run(fetch_image, 4);
  for (int i = 0; i < 4; ++i) CHECK_EQ(results[i], 10.0f + i * 0.5f);
  image.filterMode = cudaFilterModePoint;
  image.normalized = 1;
  image.addressMode[0] = cudaAddressModeWrap;
  CHECK_CUDA(cudaBindTextureToArray(image, array, format));
  run(fetch_normalised, 10);
  for (int i = 0; i < 10; ++i) CHECK_EQ(results[i], 10.0f + i % 4);
  CHECK_CUDA(cudaUnbindTexture(image));
  CHECK_CUDA(cudaBindSurfaceToArray(canvas, array));
  run(paint, 4);
  CHECK_EQ(results[2], 12.0f);
  CHECK_CUDA(cudaMemcpy2DFromArray(texels, 16, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
  CHECK_EQ(texels[0][3], 43.0f);
  cudaFreeArray(array);
}

void check_pitched() {
  float texels[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};
  float *memory = nullptr;
  size_t pitch = 0, offset = 9;
  CHECK_CUDA(cudaMallocPitch(&memory, &pitch, 16, 3));
  CHECK_CUDA(cudaMemcpy2D(memory, pitch, texels, 16, 16, 3, cudaMemcpyHostToDevice));
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  image.normalized = 0;
  CHECK_CUDA(cudaBindTexture2D(&offset, image, memory, format, 4, 3, pitch));
  CHECK_EQ(offset, 0u);
  run(fetch_image, 4);
  for (int i = 0; i < 4; ++i) CHECK_EQ(results[i], 10.0f + (i + 1) / 2);
  cudaFree(memory);
}

void check_linear() {
  int *memory = nullptr;
  CHECK_CUDA(cudaMallocManaged(&memory, 4096));
  for (int i = 0; i < 1024; ++i) memory[i] = i;
  size_t offset = 9;
  CHECK_CUDA(cudaBindTexture(nullptr, numbers, memory, 32));
  run(fetch_numbers, 12);
  for (int i = 0; i < 12; ++i) CHECK_EQ(results[i], i < 8 ? float(i) : 0.0f);  // zeros outside
  // An address that is not aligned: the offset is the program's to add.
  CHECK_ERROR(cudaBindTexture(nullptr, numbers, memory + 3, 32), cudaErrorInvalidValue);
  CHECK_CUDA(cudaBindTexture(&offset, numbers, memory + 131, 32));
  CHECK_EQ(offset, 12u);
  CHECK_CUDA(cudaGetTextureAlignmentOffset(&offset, numbers));
  CHECK_EQ(offset, 12u);
  run(fetch_numbers, 4);
  CHECK_EQ(results[3], 131.0f);
  uchar4 *bytes = reinterpret_cast<uchar4 *>(memory);
  for (int i = 0; i < 16; ++i) bytes[i] = make_uchar4(i, 0, 0, 255);
  CHECK_CUDA(cudaBindTexture(&offset, colours, bytes));
  run(fetch_colours, 16);
  for (int i = 0; i < 16; ++i) CHECK_NEAR(results[i], i / 255.0 + 10, 1e-6);
  CHECK_CUDA(cudaUnbindTexture(colours));
  CHECK_ERROR(cudaGetTextureAlignmentOffset(&offset, colours), cudaErrorInvalidTextureBinding);
  const textureReference *untyped = nullptr;
  CHECK_ERROR(cudaGetTextureReference(&untyped, &offset), cudaErrorInvalidTexture);
  cudaFree(memory);
}

void check_3d_and_layers() {
  float texels[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  cudaArray_t solid = nullptr, layered = nullptr;
  cudaMemcpy3DParms copy = {};
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMalloc3DArray(&solid, &volume.channelDesc, {2, 2, 2}));
  copy.srcPtr = make_cudaPitchedPtr(texels, 8, 2, 2);
  copy.dstArray = solid;
  copy.extent = {2, 2, 2};
  CHECK_CUDA(cudaMemcpy3D(&copy));
  CHECK_CUDA(cudaBindTextureToArray(volume, solid));
  run(fetch_volume, 2);
  CHECK_EQ(results[1], 4.0f);
  CHECK_CUDA(cudaMalloc3DArray(&layered, &layers.channelDesc, {1, 1, 4}, cudaArrayLayered));
  copy.srcPtr = make_cudaPitchedPtr(texels, 8, 1, 1);
  copy.dstArray = layered;
  copy.extent = {1, 1, 4};
  CHECK_CUDA(cudaMemcpy3D(&copy));
  CHECK_CUDA(cudaBindTextureToArray(layers, layered));
  run(fetch_layers, 4);
  for (int i = 0; i < 4; ++i) CHECK_EQ(results[i], 2.0f * i + 1);
  cudaFreeArray(solid);
  cudaFreeArray(layered);
}

int main() {
  check_array();
  check_pitched();
  check_linear();
  check_3d_and_layers();
  return check_report();
}

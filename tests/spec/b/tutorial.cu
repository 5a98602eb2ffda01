// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tutorial of early days uses: device choice, memory calls, streams, events and the old waiting call, the clock, barriers in
// branches that the whole block takes, shared values before a barrier.
// RUN: %mcc --cuda-compat=11 -w %s -o %t && %run %t
// covers: B-3-05 B-5-02 B-6-02 B-7-01 B-7-02 B-7-03 M-3.2.14-03
#include "check.h"

#include <cuda_runtime.h>

#include <string.h>
#include <time.h>

__constant__ float table[4];
__device__ int on_device = 3;

__global__ void neighbours(const int *in, int *out) {
  __shared__ int room[128];
  room[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = room[(threadIdx.x + 1) % blockDim.x] + room[(threadIdx.x + blockDim.x - 1) % blockDim.x];
}
__global__ void branch_of_block(int *out, int which) {
  __shared__ int room[64];
  room[threadIdx.x] = threadIdx.x;
  if (which == 1) {
    __syncthreads();
    out[threadIdx.x] = room[63 - threadIdx.x];
  } else if (blockIdx.x == 0) {
    room[threadIdx.x] += 100;
    __syncthreads();
    out[threadIdx.x] = room[(threadIdx.x + 32) % 64];
  }
}
__global__ void tick(clock_t *out, int *work) {
  clock_t start = clock();
  int x = threadIdx.x;
  for (int i = 0; i < 1000; ++i) {
    x = x * 1664525 + 1013904223;
  }
  work[threadIdx.x] = x;
  clock_t end = clock();
  out[threadIdx.x] = end - start;
}
__global__ void scale(float *p, size_t pitch, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < width && y < height) {
    float *row = (float *)((char *)p + y * pitch);
    row[x] = row[x] * table[x % 4] + on_device;
  }
}

int main() {
  int count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK(count >= 1);
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    CHECK_CUDA(cudaGetDeviceProperties(&properties, device));
    CHECK(properties.name[0] != 0 && properties.totalGlobalMem > 0 && properties.warpSize == 32);
  }
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_ERROR(cudaSetDevice(count + 5), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaSetDevice(0));

  int *in, *out, host[128];
  CHECK_CUDA(cudaMalloc((void **)&in, sizeof host));
  CHECK_CUDA(cudaMalloc((void **)&out, sizeof host));
  for (int i = 0; i < 128; ++i) host[i] = i * i;
  CHECK_CUDA(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  neighbours<<<1, 128>>>(in, out);
  CHECK_CUDA(cudaThreadSynchronize());
  CHECK_CUDA(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 128; ++i) {
    int before = (i + 127) % 128, after = (i + 1) % 128;
    CHECK_EQ(host[i], before * before + after * after);
  }
  for (int which = 0; which < 2; ++which) {
    branch_of_block<<<1, 64>>>(out, which);
    CHECK_CUDA(cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; ++i) CHECK_EQ(host[i], which == 1 ? 63 - i : (i + 32) % 64 + 100);
  }

  clock_t *ticks, seen[64];
  CHECK_CUDA(cudaMalloc((void **)&ticks, sizeof seen));
  tick<<<1, 64>>>(ticks, out);
  CHECK_CUDA(cudaMemcpy(seen, ticks, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) CHECK(seen[i] > 0);

  const float factors[4] = {1, 2, 3, 4};
  CHECK_CUDA(cudaMemcpyToSymbol(table, factors, sizeof factors));
  void *address;
  size_t bytes, pitch;
  CHECK_CUDA(cudaGetSymbolAddress(&address, on_device));
  CHECK_CUDA(cudaGetSymbolSize(&bytes, table));
  CHECK_EQ(bytes, sizeof factors);
  int five = 5;
  CHECK_CUDA(cudaMemcpy(address, &five, sizeof five, cudaMemcpyHostToDevice));
  float image[6][10], back[6][10];
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 10; ++x) image[y][x] = y * 10 + x;
  float *pitched;
  CHECK_CUDA(cudaMallocPitch((void **)&pitched, &pitch, 10 * sizeof(float), 6));
  CHECK(pitch >= 40 && pitch % 16 == 0);
  CHECK_CUDA(cudaMemcpy2D(pitched, pitch, image, 40, 40, 6, cudaMemcpyHostToDevice));
  scale<<<6, 32>>>(pitched, pitch, 10, 6);
  CHECK_CUDA(cudaMemcpy2D(back, 40, pitched, pitch, 40, 6, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 10; ++x) CHECK_EQ(back[y][x], image[y][x] * factors[x % 4] + 5);

  // Arrays, and what they say of their elements.
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>(), same = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat), got;
  CHECK(memcmp(&desc, &same, sizeof desc) == 0);
  cudaChannelFormatDesc four = cudaCreateChannelDesc<uchar4>(), two = cudaCreateChannelDesc<short2>(), one = cudaCreateChannelDesc<unsigned>();
  CHECK(four.x == 8 && four.y == 8 && four.z == 8 && four.w == 8 && four.f == cudaChannelFormatKindUnsigned);
  CHECK(two.x == 16 && two.y == 16 && two.z == 0 && two.w == 0 && two.f == cudaChannelFormatKindSigned);
  CHECK(one.x == 32 && one.y == 0 && one.f == cudaChannelFormatKindUnsigned);
  cudaArray *array;
  CHECK_CUDA(cudaMallocArray(&array, &desc, 10, 6));
  CHECK_CUDA(cudaGetChannelDesc(&got, array));
  CHECK(memcmp(&desc, &got, sizeof desc) == 0);
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, image, 40, 40, 6, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpyToArray(array, 0, 2, back, 40, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy2DFromArray(back, 40, array, 0, 0, 40, 3, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[1][3], image[1][3]);
  CHECK_EQ(back[2][3], image[0][3] * factors[3] + 5);
  CHECK_CUDA(cudaFreeArray(array));

  // Two streams and events.
  const int n = 1 << 16;
  int *pinned, *parts[2];
  CHECK_CUDA(cudaMallocHost((void **)&pinned, 2 * n * sizeof(int)));
  cudaStream_t streams[2];
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  for (int i = 0; i < 2 * n; ++i) pinned[i] = i;
  CHECK_CUDA(cudaEventRecord(start, 0));
  for (int s = 0; s < 2; ++s) {
    CHECK_CUDA(cudaStreamCreate(&streams[s]));
    CHECK_CUDA(cudaMalloc((void **)&parts[s], n * sizeof(int)));
    CHECK_CUDA(cudaMemcpyAsync(parts[s], pinned + s * n, n * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
    neighbours<<<n / 128, 128, 0, streams[s]>>>(parts[s], parts[s]);
    CHECK_CUDA(cudaMemcpyAsync(pinned + s * n, parts[s], n * sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
  }
  CHECK_CUDA(cudaEventRecord(stop, 0));
  CHECK_CUDA(cudaEventSynchronize(stop));
  CHECK_CUDA(cudaThreadSynchronize());
  float milliseconds = -1;
  CHECK_CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0);
  for (int i = 0; i < 2 * n; ++i) {
    int base = i / 128 * 128, k = i % 128;
    CHECK_EQ(pinned[i], 2 * base + (k + 1) % 128 + (k + 127) % 128);
  }
  for (int s = 0; s < 2; ++s) {
    CHECK_CUDA(cudaStreamDestroy(streams[s]));
    CHECK_CUDA(cudaFree(parts[s]));
  }
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaFree(in));
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code in the manner of early tutorials: choice of a device, memory, arrays, symbols, streams, events, old names.
// RUN: %mcc -w %s -o %t && %run %t
// covers: B-7-01 B-7-02 B-7-03
#include <cuda_runtime.h>
#include <string.h>

#include "check.h"

__constant__ float factors[4];
__device__ int counter;

__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] *= factors[i % 4];
    atomicAdd(&counter, 1);
  }
}

int main() {
  int count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK(count > 0);
  for (int device = 0; device < count; device++) {
    cudaDeviceProp prop;
    CHECK_CUDA(cudaGetDeviceProperties(&prop, device));
    CHECK(prop.major >= 1 && prop.name[0] != 0 && prop.multiProcessorCount > 0);
  }
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_ERROR(cudaSetDevice(count), cudaErrorInvalidDevice);
  (void)cudaGetLastError();

  const int n = 1000;
  float *host = nullptr, *device = nullptr;
  CHECK_CUDA(cudaMallocHost((void **)&host, n * sizeof(float)));
  CHECK_CUDA(cudaMalloc((void **)&device, n * sizeof(float)));
  for (int i = 0; i < n; i++) {
    host[i] = (float)i;
  }
  const float values[4] = {1, 2, 3, 4};
  CHECK_CUDA(cudaMemcpyToSymbol(factors, values, sizeof values));
  int zero = 0;
  CHECK_CUDA(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
  void *address = nullptr;
  size_t size = 0;
  CHECK_CUDA(cudaGetSymbolAddress(&address, factors));
  CHECK_CUDA(cudaGetSymbolSize(&size, factors));
  CHECK_EQ(size, sizeof values);
  float third = 0;
  CHECK_CUDA(cudaMemcpy(&third, (char *)address + 8, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(third, 3.0f);

  cudaStream_t streams[2];
  cudaEvent_t start, stop;
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&stop));
  for (int i = 0; i < 2; i++) {
    CHECK_CUDA(cudaStreamCreate(&streams[i]));
  }
  CHECK_CUDA(cudaEventRecord(start, 0));
  for (int i = 0; i < 2; i++) {
    float *part = device + i * n / 2;
    CHECK_CUDA(cudaMemcpyAsync(part, host + i * n / 2, n / 2 * sizeof(float), cudaMemcpyHostToDevice, streams[i]));
    scale<<<4, 128, 0, streams[i]>>>(part, n / 2);
    CHECK_CUDA(cudaMemcpyAsync(host + i * n / 2, part, n / 2 * sizeof(float), cudaMemcpyDeviceToHost, streams[i]));
  }
  CHECK_CUDA(cudaEventRecord(stop, 0));
  CHECK_CUDA(cudaEventSynchronize(stop));
  float ms = -1;
  CHECK_CUDA(cudaEventElapsedTime(&ms, start, stop));
  CHECK(ms >= 0);
  CHECK_CUDA(cudaThreadSynchronize());
  for (int i = 0; i < n; i++) {
    CHECK_EQ(host[i], (float)i * values[i % (n / 2) % 4]);
  }
  int counted = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  CHECK_EQ(counted, n);
  for (int i = 0; i < 2; i++) {
    CHECK_CUDA(cudaStreamDestroy(streams[i]));
  }
  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(stop));

  // Pitched memory and an array.
  const int width = 50, height = 7;
  float in[height][width], out[height][width];
  for (int i = 0; i < height * width; i++) {
    in[0][i] = (float)i;
  }
  float *rows = nullptr;
  size_t pitch = 0;
  CHECK_CUDA(cudaMallocPitch((void **)&rows, &pitch, width * sizeof(float), height));
  CHECK(pitch >= width * sizeof(float));
  CHECK_CUDA(cudaMemcpy2D(rows, pitch, in, sizeof in[0], sizeof in[0], height, cudaMemcpyHostToDevice));
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaArray *array = nullptr;
  CHECK_CUDA(cudaMallocArray(&array, &desc, width, height));
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, rows, pitch, sizeof in[0], height, cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpy2DFromArray(out, sizeof out[0], array, 0, 0, sizeof out[0], height, cudaMemcpyDeviceToHost));
  CHECK(memcmp(in, out, sizeof in) == 0);
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFree(rows));
  CHECK_CUDA(cudaFree(device));
  CHECK_CUDA(cudaFreeHost(host));
  CHECK_CUDA(cudaThreadExit());
  return check_report();
}

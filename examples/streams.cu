// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts work into parts that run in four streams, each copying in, computing and copying out; times it with events.
#include <cstdio>

__global__ void polynomial(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    x[i] = ((2 * v + 3) * v - 1) * v + 5;
  }
}

int main() {
  const int parts = 4, n = 1 << 18;
  cudaStream_t streams[parts];
  cudaEvent_t start, stop;
  float *host = nullptr, *device = nullptr;
  cudaMallocHost(&host, parts * n * sizeof(float));
  cudaMalloc(&device, parts * n * sizeof(float));
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  for (int i = 0; i < parts * n; ++i) {
    host[i] = i % 10;
  }
  cudaEventRecord(start);
  for (int p = 0; p < parts; ++p) {
    cudaStreamCreate(&streams[p]);
    float *host_part = host + p * n, *device_part = device + p * n;
    cudaMemcpyAsync(device_part, host_part, n * sizeof(float), cudaMemcpyHostToDevice, streams[p]);
    polynomial<<<(n + 255) / 256, 256, 0, streams[p]>>>(device_part, n);
    cudaMemcpyAsync(host_part, device_part, n * sizeof(float), cudaMemcpyDeviceToHost, streams[p]);
  }
  cudaEventRecord(stop);
  cudaError_t error = cudaEventSynchronize(stop);
  float ms = 0;
  cudaEventElapsedTime(&ms, start, stop);
  int wrong = 0;
  for (int i = 0; i < parts * n; ++i) {
    float v = i % 10;
    wrong += host[i] != ((2 * v + 3) * v - 1) * v + 5;
  }
  std::printf("streams: %d parts in %.2f ms, %s\n", parts, ms, error == cudaSuccess && wrong == 0 ? "right" : "wrong");
  for (cudaStream_t stream : streams) {
    cudaStreamDestroy(stream);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaFreeHost(host);
  cudaFree(device);
  return error != cudaSuccess || wrong != 0;
}

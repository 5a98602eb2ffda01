// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams, events and copies across devices: what fails and what does not.
// RUN: %mcc -std=c++17 %s -o %t && env HELICON_CPU_DEVICES=2 HELICON_DRIVERS=cpu %run %t
// covers: C-3.4.1.3-01
#include <cuda_runtime.h>

#include "check.h"

__global__ void add(int *p, int value) { *p += value; }

int main() {
  cudaStream_t stream[2];
  cudaEvent_t event[2];
  int *memory[2];
  for (int device = 0; device < 2; device++) {
    CHECK_CUDA(cudaSetDevice(device));
    CHECK_CUDA(cudaStreamCreate(&stream[device]));
    CHECK_CUDA(cudaEventCreate(&event[device]));
    CHECK_CUDA(cudaMalloc(&memory[device], sizeof(int)));
    CHECK_CUDA(cudaMemset(memory[device], 0, sizeof(int)));
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  CHECK_CUDA(cudaSetDevice(0));
  add<<<1, 1, 0, stream[0]>>>(memory[0], 5);
  CHECK_CUDA(cudaGetLastError());
  add<<<1, 1, 0, stream[1]>>>(memory[1], 5);  // the stream of the other device
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  int value = 3, back = -1;
  CHECK_CUDA(cudaMemcpyAsync(memory[1], &value, sizeof value, cudaMemcpyHostToDevice, stream[1]));
  CHECK_CUDA(cudaStreamSynchronize(stream[1]));
  CHECK_CUDA(cudaMemcpy(&back, memory[1], sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back, 3);

  CHECK_CUDA(cudaEventRecord(event[0], stream[0]));
  CHECK_ERROR(cudaEventRecord(event[0], stream[1]), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaSetDevice(1));
  CHECK_CUDA(cudaEventRecord(event[1], stream[1]));
  CHECK_CUDA(cudaStreamWaitEvent(stream[1], event[0], 0));
  CHECK_CUDA(cudaEventSynchronize(event[0]));
  CHECK_CUDA(cudaEventQuery(event[0]));
  CHECK_CUDA(cudaEventSynchronize(event[1]));
  float ms = 0;
  CHECK_ERROR(cudaEventElapsedTime(&ms, event[0], event[1]), cudaErrorInvalidResourceHandle);

  // Each device has a default stream of its own.
  add<<<1, 1>>>(memory[1], 4);
  CHECK_CUDA(cudaSetDevice(0));
  add<<<1, 1>>>(memory[0], 4);
  CHECK_CUDA(cudaMemcpy(&back, memory[0], sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back, 9);
  CHECK_CUDA(cudaSetDevice(1));
  CHECK_CUDA(cudaMemcpy(&back, memory[1], sizeof back, cudaMemcpyDeviceToHost));
  CHECK_EQ(back, 7);
  for (int device = 0; device < 2; device++) {
    CHECK_CUDA(cudaSetDevice(device));
    CHECK_CUDA(cudaStreamDestroy(stream[device]));
    CHECK_CUDA(cudaEventDestroy(event[device]));
    CHECK_CUDA(cudaFree(memory[device]));
  }
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users of other implementations reported as wrong, call by call, and what is right.
// RUN: %mcc %s -o %t && %run %t
#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

__global__ void mark(int *p) {
  if (threadIdx.x == 0) {
    p[blockIdx.x] = blockIdx.x;
  }
}
__global__ void twice(int *p) { *p *= 2; }
__global__ void uses_heap() { free(malloc(8)); }
static std::atomic<int> gate{0};
static void wait_for_gate(void *) {
  while (gate == 0) {
  }
}

int main() {
  int *d, host = 0;
  REQUIRE_CUDA(cudaMalloc(&d, 318750 * 4));
  // A large one-dimensional grid failed, moved to another dimension by a tool.
  mark<<<318750, 32>>>(d);
  CHECK_CUDA(cudaMemcpy(&host, d + 318749, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 318749);
  // An empty launch left an error that stuck.
  mark<<<0, 32>>>(d);
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK_CUDA(cudaGetLastError());
  mark<<<1, 32>>>(d);
  CHECK_CUDA(cudaGetLastError());
  // More shared memory than the device has was accepted.
  CHECK_ERROR(cudaFuncSetAttribute(mark, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20), cudaErrorInvalidValue);
  // An allocation beyond memory killed the process, or wrote the pointer.
  void *untouched = &host;
  CHECK_ERROR(cudaMalloc(&untouched, size_t(1) << 50), cudaErrorMemoryAllocation);
  CHECK(untouched == &host);
  (void)cudaGetLastError();
  // Plain memory was an error for cudaPointerGetAttributes.
  std::vector<int> heap(4);
  cudaPointerAttributes attributes;
  for (const int *p : {heap.data(), &host}) {
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, p));
    CHECK_EQ(attributes.type, cudaMemoryTypeUnregistered);
  }
  // The heap's limit could be changed under a kernel's feet.
  size_t limit = 0;
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  CHECK_CUDA(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK_EQ(limit, 16u << 20);
  uses_heap<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_ERROR(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20), cudaErrorInvalidValue);

  // Waiting for one stream waited for another one's callback.
  cudaStream_t a, b, blocking;
  CHECK_CUDA(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreate(&blocking));
  CHECK_CUDA(cudaLaunchHostFunc(b, wait_for_gate, nullptr));
  mark<<<1, 1, 0, a>>>(d);
  CHECK_CUDA(cudaStreamSynchronize(a));
  CHECK_ERROR(cudaStreamQuery(b), cudaErrorNotReady);
  // Only the last recording of an event counts.
  cudaEvent_t event, second;
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_CUDA(cudaEventCreate(&second));
  CHECK_CUDA(cudaEventRecord(event, b));
  CHECK_CUDA(cudaEventRecord(event, a));
  CHECK_CUDA(cudaEventSynchronize(event));
  // Elapsed time of events that are not recorded, or not reached.
  float ms = 0;
  CHECK_ERROR(cudaEventElapsedTime(&ms, event, second), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaEventRecord(second, b));
  CHECK_ERROR(cudaEventElapsedTime(&ms, event, second), cudaErrorNotReady);
  // A wait outside of any capture made the stream captured.
  CHECK_CUDA(cudaStreamWaitEvent(a, second, 0));
  cudaStreamCaptureStatus status;
  CHECK_CUDA(cudaStreamIsCapturing(a, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  gate = 1;
  CHECK_CUDA(cudaStreamSynchronize(a));
  // A blocking stream is behind what the legacy stream got before.
  CHECK_CUDA(cudaMemset(d, 1, 4));
  twice<<<1, 1>>>(d);
  twice<<<1, 1, 0, blocking>>>(d);
  twice<<<1, 1>>>(d);
  CHECK_CUDA(cudaStreamSynchronize(0));
  CHECK_CUDA(cudaMemcpy(&host, d, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 0x01010101 * 8);
  // Pageable memory in and out of one stream.
  int in = 5, out = 0;
  CHECK_CUDA(cudaMemcpyAsync(d, &in, 4, cudaMemcpyHostToDevice, a));
  CHECK_CUDA(cudaMemcpyAsync(&out, d, 4, cudaMemcpyDeviceToHost, a));
  CHECK_CUDA(cudaStreamSynchronize(a));
  CHECK_EQ(out, 5);
  // Copies from several threads freed something twice.
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      int mine = t, back = -1;
      for (int i = 0; i < 200; i++) {
        CHECK_CUDA(cudaMemcpyAsync(d + 64 + t, &mine, 4, cudaMemcpyHostToDevice, a));
        CHECK_CUDA(cudaMemcpyAsync(&back, d + 64 + t, 4, cudaMemcpyDeviceToHost, a));
        CHECK_CUDA(cudaStreamSynchronize(a));
        CHECK_EQ(back, t);
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  // A forked child hung.
  pid_t child = fork();
  if (child == 0) {
    void *p = nullptr;
    cudaError_t code = cudaMalloc(&p, 4);
    _exit(code == cudaSuccess || code == cudaErrorInitializationError ? 0 : 1);
  }
  int ended = -1;
  waitpid(child, &ended, 0);
  CHECK_EQ(ended, 0);
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two drivers in one program: NVIDIA's (a stand-in, Inputs/fake_libcuda.cpp) and the CPU's. One list of devices, one library of
// code on both, copies between them, streams and events across, misuse refused.
// REQUIRES: engine-warp
// RUN: %mcc -cudart none -shared -Xcompiler -fPIC %S/Inputs/fake_libcuda.cpp -o %t.fake.so && cp %toolkit/lib/libhelicon.so.0 %t.inner.so
// RUN: %mcc %s -o %t && %mcc -fatbin %s -o %t.fatbin
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.fatbin %run %t 2
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.fatbin HELICON_DRIVERS=nvidia %run %t 1
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.fatbin CUDA_VISIBLE_DEVICES=0 %run %t 1
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_IMAGE=%t.fatbin HELICON_DRIVERS=cpu %run %t 1
// RUN: env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so FAKE_GPU_BROKEN=1 HELICON_LOG=loader %run %t 1 2>&1 | %FileCheck %s --check-prefix=BROKEN
// RUN: env HELICON_NVIDIA_LIBRARY=%toolkit/lib/libcuda.so.1 HELICON_LOG=loader %run %t 1 2>&1 | %FileCheck %s --check-prefix=OURS
// RUN: not env HELICON_NVIDIA_LIBRARY=/nonexistent/libcuda.so.1 HELICON_DRIVERS=nvidia %run %t 1 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: not env HELICON_NVIDIA_LIBRARY=%t.fake.so FAKE_GPU_INNER=%t.inner.so HELICON_DRIVERS=cpu,nvidia %run %t 2 2>&1 | %FileCheck %s --check-prefix=ORDER
// BROKEN: driver=nvidia not used: {{.*}}does not start (error 999)
// BROKEN: driver=cpu loaded
// OURS: driver=nvidia not used: {{.*}} is Helicon's own
// NONE: no driver can be used: nvidia: no driver library ({{.*}}/nonexistent/libcuda.so.1
// ORDER: the devices of 'nvidia' cannot come after others
#include "check.h"

#include <cstdlib>
#include <cuda.h>

__device__ int offset = 5;

__global__ void fill(int *out, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = first + i + offset;
}

constexpr int kCount = 1000;

static void run_on(int device, int *memory, int first) {
  CHECK_CUDA(cudaSetDevice(device));
  fill<<<(kCount + 127) / 128, 128>>>(memory, kCount, first);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDeviceSynchronize());
}

static void expect(const int *memory, int first) {
  static int back[kCount];
  CHECK_CUDA(cudaMemcpy(back, memory, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount; ++i) CHECK_EQ(back[i], first + i);
}

static void two_devices() {
  int *memory[2];
  for (int device = 0; device < 2; ++device) {
    CHECK_CUDA(cudaSetDevice(device));
    CHECK_CUDA(cudaMalloc(&memory[device], kCount * sizeof(int)));
    cudaPointerAttributes attributes;
    CHECK_CUDA(cudaPointerGetAttributes(&attributes, memory[device]));
    CHECK_EQ(attributes.device, device);
    int here = -1;
    CHECK_CUDA(cudaGetDevice(&here));
    CHECK_EQ(here, device);
    // A variable of the module is another one on each device.
    int value = 10 * (device + 1);
    CHECK_CUDA(cudaMemcpyToSymbol(offset, &value, sizeof value));
  }
  run_on(0, memory[0], 100);
  run_on(1, memory[1], 200);
  expect(memory[0], 110);
  expect(memory[1], 220);

  // Copies between them, both ways, from either side, also with a stream's.
  CHECK_CUDA(cudaMemcpy(memory[1], memory[0], kCount * sizeof(int), cudaMemcpyDefault));
  expect(memory[1], 110);
  run_on(1, memory[1], 300);
  CHECK_CUDA(cudaMemcpyPeer(memory[0], 0, memory[1], 1, kCount * sizeof(int)));
  CHECK_CUDA(cudaSetDevice(0));
  expect(memory[0], 320);
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaSetDevice(1));
  fill<<<8, 128>>>(memory[1], kCount, 400);
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_CUDA(cudaEventRecord(event));
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_CUDA(cudaStreamWaitEvent(stream, event, 0));  // the other driver's event
  CHECK_CUDA(cudaMemcpyAsync(memory[0], memory[1], kCount * sizeof(int), cudaMemcpyDefault, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expect(memory[0], 420);

  // What belongs to different drivers does not go together.
  int can = 7;
  CHECK_CUDA(cudaDeviceCanAccessPeer(&can, 0, 1));
  CHECK_EQ(can, 0);
  CHECK_ERROR(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  CHECK_CUDA(cudaSetDevice(1));
  fill<<<8, 128, 0, stream>>>(memory[0], kCount, 500);
  CHECK_ERROR(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaEventDestroy(event));
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_CUDA(cudaFree(memory[0]));
  CHECK_CUDA(cudaFree(memory[1]));
}

static void contexts() {
  CUcontext own[2], seen;
  CUdevice device;
  for (int i = 0; i < 2; ++i) CHECK_CU(cuDevicePrimaryCtxRetain(&own[i], i));
  CHECK_CU(cuCtxSetCurrent(own[0]));
  CHECK_CU(cuCtxPushCurrent(own[1]));
  CHECK_CU(cuCtxGetDevice(&device));
  CHECK_EQ(device, 1);
  CHECK_CU(cuCtxPopCurrent(&seen));
  CHECK(seen == own[1]);
  CHECK_CU(cuCtxGetDevice(&device));
  CHECK_EQ(device, 0);
  CHECK_CU(cuCtxSetCurrent(own[1]));
  CHECK_CU(cuCtxGetCurrent(&seen));
  CHECK(seen == own[1]);
  CHECK_CU(cuCtxSetCurrent(nullptr));
  CHECK_CU(cuCtxGetCurrent(&seen));
  CHECK(seen == nullptr);
  for (int i = 0; i < 2; ++i) CHECK_CU(cuDevicePrimaryCtxRelease(i));
}

int main(int, char **argv) {
  int wanted = atoi(argv[1]), count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  CHECK_EQ(count, wanted);
  if (count != wanted) return check_report();
  int *memory;
  CHECK_CUDA(cudaSetDevice(count - 1));
  CHECK_CUDA(cudaMalloc(&memory, kCount * sizeof(int)));
  run_on(count - 1, memory, 1);
  expect(memory, 6);
  CHECK_CUDA(cudaFree(memory));
  CHECK_ERROR(cudaSetDevice(count), cudaErrorInvalidDevice);
  cudaGetLastError();
  if (count == 2) {
    two_devices();
    contexts();
  }
  return check_report();
}

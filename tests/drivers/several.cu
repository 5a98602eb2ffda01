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
#include <cstring>
#include <cuda.h>

__device__ int offset = 5;
__managed__ int total = 3;

__global__ void fill(int *out, int n, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = first + i + offset;
}

__global__ void add(int n) { total += n; }

__global__ void put(int *out, int value) { *out = value; }

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

// Rectangles and boxes between the two, from linear memory and arrays, at once and in a stream.
static void boxes() {
  constexpr size_t kWidth = 20, kHeight = 6, kDepth = 3, kPitch = 64;
  unsigned char host[kDepth][kHeight][kWidth], back[kDepth][kHeight][kWidth];
  for (size_t i = 0; i < sizeof host; ++i) (&host[0][0][0])[i] = static_cast<unsigned char>(i * 7 + 1);
  unsigned char *memory[2];
  cudaArray_t arrays[2];
  cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  for (int device = 0; device < 2; ++device) {
    CHECK_CUDA(cudaSetDevice(device));
    CHECK_CUDA(cudaMalloc(&memory[device], kPitch * kHeight * kDepth));
    CHECK_CUDA(cudaMemset(memory[device], 0, kPitch * kHeight * kDepth));
    CHECK_CUDA(cudaMalloc3DArray(&arrays[device], &bytes, {kWidth, kHeight, kDepth}));
  }
  for (int from = 0; from < 2; ++from) {
    for (int current = 0; current < 2; ++current) {
      int to = 1 - from;
      CHECK_CUDA(cudaSetDevice(from));
      CHECK_CUDA(cudaMemcpy2D(memory[from], kPitch, host, kWidth, kWidth, kHeight * kDepth, cudaMemcpyHostToDevice));
      CHECK_CUDA(cudaMemset(memory[to], 0, kPitch * kHeight * kDepth));
      CHECK_CUDA(cudaSetDevice(current));
      CHECK_CUDA(cudaMemcpy2D(memory[to] + 1, kPitch, memory[from], kPitch, kWidth, kHeight * kDepth, cudaMemcpyDefault));
      CHECK_CUDA(cudaMemcpy2D(back, kWidth, memory[to] + 1, kPitch, kWidth, kHeight * kDepth, cudaMemcpyDefault));
      CHECK(memcmp(host, back, sizeof host) == 0);
      cudaMemcpy3DParms copy = {};
      copy.srcPtr = make_cudaPitchedPtr(memory[to] + 1, kPitch, kWidth, kHeight);
      copy.dstArray = arrays[from];
      copy.extent = {kWidth, kHeight, kDepth};
      copy.kind = cudaMemcpyDefault;
      CHECK_CUDA(cudaMemcpy3D(&copy));
      copy.srcPtr = {};
      copy.srcArray = arrays[from];
      copy.dstArray = arrays[to];
      CHECK_CUDA(cudaMemcpy3DAsync(&copy));
      copy.srcArray = arrays[to];
      copy.dstArray = nullptr;
      copy.dstPtr = make_cudaPitchedPtr(back, kWidth, kWidth, kHeight);
      memset(back, 0, sizeof back);
      CHECK_CUDA(cudaMemcpy3D(&copy));
      CHECK(memcmp(host, back, sizeof host) == 0);
    }
  }
  for (int device = 0; device < 2; ++device) {
    CHECK_CUDA(cudaFree(memory[device]));
    CHECK_CUDA(cudaFreeArray(arrays[device]));
  }
}

// A managed variable is one on all devices.
static void managed() {
  CHECK_EQ(total, 3);
  for (int device : {1, 0, 1}) {
    CHECK_CUDA(cudaSetDevice(device));
    add<<<1, 1>>>(10 + device);
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  CHECK_EQ(total, 3 + 32);
  total = 100;
  CHECK_CUDA(cudaSetDevice(0));
  add<<<1, 1>>>(1);
  CHECK_CUDA(cudaDeviceSynchronize());
  int value = 0;
  CHECK_CUDA(cudaSetDevice(1));
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, total, sizeof value));
  CHECK_EQ(value, 101);
}

// The kernels of a graph are those of its device, and come back as the program named them.
static void graphs(int device) {
  CHECK_CUDA(cudaSetDevice(device));
  int *memory, value = 0, numbers[] = {7, 8, 9};
  CHECK_CUDA(cudaMalloc(&memory, sizeof *memory));
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  void *arguments[] = {&memory, &numbers[0]};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(put);
  params.gridDim = params.blockDim = 1;
  params.kernelParams = arguments;
  auto run = [&] {
    CHECK_CUDA(cudaGraphLaunch(exec, nullptr));
    CHECK_CUDA(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDefault));
    return value;
  };
  CHECK_CUDA(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaKernelNodeParams seen = {};
  CHECK_CUDA(cudaGraphKernelNodeGetParams(node, &seen));
  CHECK(seen.func == params.func);
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_EQ(run(), 7);
  arguments[1] = &numbers[1];
  CHECK_CUDA(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  CHECK_EQ(run(), 8);
  CHECK_CUDA(cudaGraphKernelNodeSetParams(node, &params));
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeKernel;
  any.kernel.func = params.func;
  any.kernel.gridDim = any.kernel.blockDim = 1;
  arguments[1] = &numbers[2];
  any.kernel.kernelParams = arguments;
  CHECK_CUDA(cudaGraphAddNode(&node, graph, &node, nullptr, 1, &any));
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_EQ(run(), 9);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_CUDA(cudaFree(memory));
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
    boxes();
    managed();
    for (int device = 0; device < 2; ++device) graphs(device);
    contexts();
  }
  return check_report();
}

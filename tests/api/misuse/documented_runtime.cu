// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that the documentation of runtime calls lists and that no other test provokes, object by object. Each changes
// nothing.
// gpu: no (the vendor's driver does not survive handles that are none)
// RUN: %mcc -std=c++17 %s -o %t && %run %t
// covers: C-2.1.7-01 C-3.4-01
#include "check.h"

constexpr size_t kTooMuch = size_t{1} << 50;
__global__ void kernel() {}
__device__ int variable;
static void nothing(void *) {}
static void nothing_either(cudaStream_t, cudaError_t, void *) {}

static void host_memory() {
  void *const untouched = &variable;
  void *p = untouched;
  unsigned flags = 0;
  CHECK_ERROR(cudaMallocHost(nullptr, 16), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocHost(&p, kTooMuch), cudaErrorMemoryAllocation);
  CHECK_ERROR(cudaHostAlloc(nullptr, 16, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostAlloc(&p, 16, 0x80), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostAlloc(&p, kTooMuch, 0), cudaErrorMemoryAllocation);
  CHECK_ERROR(cudaMallocManaged(&p, kTooMuch), cudaErrorMemoryAllocation);
  CHECK_ERROR(cudaMallocManaged(&p, 16, 0x80), cudaErrorInvalidValue);
  CHECK(p == untouched);
  char ordinary[64];
  CHECK_ERROR(cudaHostUnregister(nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostUnregister(ordinary), cudaErrorHostMemoryNotRegistered);
  CHECK_ERROR(cudaHostRegister(ordinary, 64, 0x1000), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostGetFlags(nullptr, ordinary), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostGetFlags(&flags, ordinary), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMallocHost(&p, 64));
  CHECK_ERROR(cudaHostGetDevicePointer(nullptr, p, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaHostGetDevicePointer(&p, p, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFree(p), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeHost(p));
  CHECK_ERROR(cudaFreeHost(p), cudaErrorInvalidValue);
}

static void device_memory() {
  cudaPitchedPtr pitched = {};
  cudaExtent huge = make_cudaExtent(1 << 20, 1 << 20, 1 << 10);
  void *p = nullptr;
  size_t pitch = 0;
  CHECK_ERROR(cudaMalloc3D(&pitched, huge), cudaErrorMemoryAllocation);
  CHECK(pitched.ptr == nullptr && pitched.pitch == 0);
  CHECK_ERROR(cudaMalloc3D(nullptr, make_cudaExtent(4, 4, 4)), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocPitch(&p, nullptr, 16, 16), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocPitch(&p, &pitch, 1 << 30, 1 << 30), cudaErrorMemoryAllocation);
  CHECK_ERROR(cudaMallocAsync(&p, kTooMuch, (cudaStream_t)0), cudaErrorMemoryAllocation);
  CHECK_ERROR(cudaMallocAsync((void **)nullptr, 16, (cudaStream_t)0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocAsync(&p, 16, (cudaStream_t)&p), cudaErrorInvalidResourceHandle);
  CHECK(p == nullptr && pitch == 0);
  CHECK_ERROR(cudaMemPoolCreate(nullptr, nullptr), cudaErrorInvalidValue);
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props = {};
  CHECK_ERROR(cudaMemPoolCreate(&pool, &props), cudaErrorInvalidValue);  // neither kind nor place
  CHECK_ERROR(cudaMemPoolTrimTo(nullptr, 0), cudaErrorInvalidValue);
}

static void arrays() {
  cudaArray_t array = nullptr, none = (cudaArray_t)&variable;
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  CHECK_ERROR(cudaMallocArray(nullptr, &bytes, 16, 16), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(&array, &bytes, 1 << 30, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, nullptr, make_cudaExtent(4, 4, 4)), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, &bytes, make_cudaExtent(0, 4, 4)), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(nullptr));
  CHECK_ERROR(cudaFreeArray(none), cudaErrorInvalidResourceHandle);
  cudaExtent extent;
  unsigned flags;
  CHECK_ERROR(cudaArrayGetInfo(nullptr, &extent, &flags, none), cudaErrorInvalidResourceHandle);
}

static void copies() {
  char host[256] = {};
  void *d = nullptr;
  CHECK_CUDA(cudaMalloc(&d, 256));
  CHECK_ERROR(cudaMemcpy2DAsync(d, 8, host, 16, 16, 2, cudaMemcpyHostToDevice, 0), cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2DAsync(d, 16, host, 16, 16, 200, cudaMemcpyHostToDevice, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DAsync(d, 16, host, 16, 16, 2, (cudaMemcpyKind)9, 0), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpy2DAsync(d, 16, host, 16, 16, 2, cudaMemcpyHostToDevice, (cudaStream_t)host), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaMemset2D(d, 8, 0, 16, 2), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyFromSymbol(host, variable, 4, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyFromSymbol(nullptr, variable, 4), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyPeer(d, 0, d, 0, 1 << 20), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyPeer(d, 99, d, 0, 4), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaMemcpyPeerAsync(d, 0, d, 99, 4, 0), cudaErrorInvalidDevice);
  cudaMemcpy3DParms parms = {};
  CHECK_ERROR(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
  parms.srcPtr = make_cudaPitchedPtr(host, 4, 16, 2);
  parms.dstPtr = make_cudaPitchedPtr(d, 16, 16, 2);
  parms.extent = make_cudaExtent(16, 2, 1);
  parms.kind = cudaMemcpyHostToDevice;
  CHECK_ERROR(cudaMemcpy3D(&parms), cudaErrorInvalidPitchValue);
  CHECK_CUDA(cudaFree(d));
}

static void streams() {
  char junk[256] = {};
  const auto none = (cudaStream_t)junk;
  cudaStream_t stream;
  int priority;
  unsigned flags;
  unsigned long long id;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_ERROR(cudaStreamCreateWithFlags(&stream, 0x40), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamCreateWithPriority(nullptr, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamGetPriority(stream, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamGetPriority(none, &priority), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamGetFlags(stream, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamGetFlags(none, &flags), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamGetId(stream, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamGetId(none, &id), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamWaitEvent(none, nullptr, 0), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamAddCallback(none, nothing_either, nullptr, 0), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamAddCallback(stream, nullptr, nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchHostFunc(none, nothing, nullptr), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamAttachMemAsync(stream, junk, 0, 0x20), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamAttachMemAsync(none, junk), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamQuery(none), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaStreamSynchronize(none), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaMemsetAsync(junk, 0, 1, none), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventRecord((cudaEvent_t)junk, stream), cudaErrorInvalidResourceHandle);
  cudaEvent_t event;
  CHECK_CUDA(cudaEventCreate(&event));
  CHECK_ERROR(cudaEventRecord(event, none), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaEventRecordWithFlags(event, stream, 0x10), cudaErrorInvalidValue);
  CHECK_CUDA(cudaEventDestroy(event));
  CHECK_ERROR(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaStreamDestroy(stream));
  CHECK_ERROR(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
}

static void launches() {
  const void *none = (const void *)nothing;
  CHECK_ERROR(cudaLaunchKernel((const void *)kernel, dim3(0), dim3(1), nullptr, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(2048), nullptr, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), nullptr, 1 << 30, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), nullptr, 0, (cudaStream_t)&none), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaLaunchCooperativeKernel((const void *)kernel, dim3(1, 65536), dim3(1), nullptr, 0, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaLaunchCooperativeKernel(none, dim3(1), dim3(1), nullptr, 0, 0), cudaErrorInvalidDeviceFunction);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1, 1, 65);
  CHECK_ERROR(cudaLaunchKernelExC(&config, (const void *)kernel, nullptr), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFuncSetAttribute(none, cudaFuncAttributeMaxDynamicSharedMemorySize, 16), cudaErrorInvalidDeviceFunction);
  CHECK_ERROR(cudaFuncSetCacheConfig(none, cudaFuncCachePreferL1), cudaErrorInvalidDeviceFunction);
  cudaFuncAttributes facts;
  CHECK_ERROR(cudaFuncGetAttributes(&facts, none), cudaErrorInvalidDeviceFunction);
}

static void devices() {
  int value = 0;
  CHECK_ERROR(cudaDeviceEnablePeerAccess(99, 0), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceDisablePeerAccess(99), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceGetByPCIBusId(&value, "ffff:ff:1f.0"), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaDeviceGetByPCIBusId(&value, "no bus"), cudaErrorInvalidValue);
  CHECK_ERROR(cudaDeviceGetByPCIBusId(nullptr, "0000:00:00.0"), cudaErrorInvalidValue);
  CHECK_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
  cudaIpcMemHandle_t memory = {};
  cudaIpcEventHandle_t event = {};
  cudaEvent_t opened;
  void *p = nullptr;
  CHECK_ERROR(cudaIpcGetMemHandle(nullptr, p), cudaErrorInvalidValue);
  CHECK_ERROR(cudaIpcOpenMemHandle(&p, memory, cudaIpcMemLazyEnablePeerAccess), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaIpcOpenEventHandle(&opened, event), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaIpcCloseMemHandle(&value), cudaErrorInvalidValue);
}

static void graphs() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK_CUDA(cudaGraphCreate(&graph, 0));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  char junk[256] = {};
  CHECK_ERROR(cudaGraphUpload(nullptr, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphUpload(exec, (cudaStream_t)junk), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaGraphLaunch(exec, (cudaStream_t)junk), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaGraphLaunch((cudaGraphExec_t)junk, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_ERROR(cudaGraphLaunch(exec, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphDestroy(graph));
  CHECK_ERROR(cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
}

int main() {
  host_memory();
  device_memory();
  arrays();
  copies();
  streams();
  launches();
  devices();
  graphs();
  (void)cudaGetLastError();
  kernel<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  return check_report();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors that the documentation of driver calls lists and that no other test provokes, object by object. Each changes
// nothing.
// gpu: no (the vendor's driver does not survive handles that are none)
// RUN: %mcc -std=c++17 %s -o %t -lcuda && %run %t
// covers: C-3.3-01
#include <cuda.h>

#include "check.h"

constexpr size_t kTooMuch = size_t{1} << 50;
static char junk[256];  ///< what is no handle
template <typename T> static T none() { return (T)junk; }
static void nothing(void *) {}
static void nothing_either(CUstream, CUresult, void *) {}

static void before_any_context() {
  CUdevice device;
  CUdeviceptr p = 0;
  CUstream stream;
  CUevent event;
  CUmodule module;
  CUarray array;
  size_t bytes;
  const CUDA_ARRAY_DESCRIPTOR flat = {16, 16, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CHECK_ERROR(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemAlloc(&p, 16), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemcpyHtoD(p, junk, 16), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemcpyDtoH(junk, p, 16), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemsetD32(p, 0, 4), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuStreamSynchronize(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuEventCreate(&event, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuModuleLoadData(&module, junk), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuArrayCreate(&array, &flat), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuMemGetInfo(&bytes, &bytes), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuLaunchHostFunc(nullptr, nothing, nullptr), CUDA_ERROR_INVALID_CONTEXT);
}

static void devices_and_contexts() {
  CUcontext context;
  char name[8];
  size_t bytes;
  CHECK_ERROR(cuDeviceGetName(name, sizeof name, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGetName(nullptr, sizeof name, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetCount(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceTotalMem(&bytes, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDevicePrimaryCtxRetain(&context, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDevicePrimaryCtxRetain(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDevicePrimaryCtxRelease(99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuCtxCreate(nullptr, nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxCreate(&context, nullptr, 0x8000, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuCtxPushCurrent(none<CUcontext>()), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxDestroy(none<CUcontext>()), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxSetCurrent(none<CUcontext>()), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_ERROR(cuCtxGetDevice(nullptr), CUDA_ERROR_INVALID_VALUE);
}

static void modules() {
  CUmodule module;
  CUlibrary library;
  CUkernel kernel;
  CUlinkState link;
  CUdeviceptr p;
  size_t bytes;
  void *image;
  CHECK_ERROR(cuModuleUnload(none<CUmodule>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuModuleUnload(nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuModuleGetGlobal(&p, &bytes, none<CUmodule>(), "x"), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuModuleLoadData(&module, junk), CUDA_ERROR_INVALID_IMAGE);
  CHECK_ERROR(cuModuleLoad(&module, "/nowhere/at all"), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_ERROR(cuLibraryLoadData(nullptr, junk, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLibraryLoadData(&library, junk, nullptr, nullptr, 0, nullptr, nullptr, 0), CUDA_ERROR_INVALID_IMAGE);
  CHECK_ERROR(cuLibraryGetKernel(&kernel, none<CUlibrary>(), "x"), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuLibraryGetGlobal(&p, &bytes, none<CUlibrary>(), "x"), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuLibraryUnload(none<CUlibrary>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuLinkCreate(0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuLinkComplete(none<CUlinkState>(), &image, &bytes), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_ERROR(cuLinkAddFile(link, CU_JIT_INPUT_CUBIN, "/nowhere/at all", 0, nullptr, nullptr),
              CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_CU(cuLinkDestroy(link));
  CHECK_ERROR(cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE);
}

static void memory() {
  CUdeviceptr p = 77, d;
  void *h = junk;
  size_t pitch = 5;
  CHECK_ERROR(cuMemAlloc(&p, kTooMuch), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_ERROR(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocManaged(&p, kTooMuch, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_ERROR(cuMemAllocPitch(&p, &pitch, 1 << 30, 1 << 30, 4), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_ERROR(cuMemAllocPitch(&p, &pitch, 16, 16, 3), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocAsync(&p, kTooMuch, nullptr), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_ERROR(cuMemHostAlloc(&h, kTooMuch, 0), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_ERROR(cuMemAllocHost(&h, kTooMuch), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK(p == 77 && pitch == 5 && h == junk);
  CHECK_CU(cuMemAlloc(&d, 256));
  CHECK_ERROR(cuMemcpyHtoD(d, junk, 257), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyHtoD(d, nullptr, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyDtoH(junk, d + 250, 16), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyDtoD(d, d, 1 << 20), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpyHtoDAsync(d, junk, 16, none<CUstream>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuMemcpyHtoDAsync(d, junk, 257, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD8(d, 1, 257), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemsetD32(d + 1, 1, 4), CUDA_ERROR_INVALID_VALUE);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = junk;
  copy.srcPitch = 4;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = d;
  copy.dstPitch = 16;
  copy.WidthInBytes = 16;
  copy.Height = 2;
  CHECK_ERROR(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemcpy2D(nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemFree(d));
  CHECK_ERROR(cuMemFree(d), CUDA_ERROR_INVALID_VALUE);
  CUarray array;
  const CUDA_ARRAY_DESCRIPTOR flat = {16, 16, (CUarray_format)0x77, 1}, three = {16, 16, CU_AD_FORMAT_UNSIGNED_INT8, 3};
  CHECK_ERROR(cuArrayCreate(&array, &flat), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayCreate(&array, &three), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayCreate(&array, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuArrayDestroy(none<CUarray>()), CUDA_ERROR_INVALID_HANDLE);
}

static void streams_and_events() {
  CUstream stream;
  CUevent event, second;
  CHECK_ERROR(cuStreamCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamCreate(&stream, 0x40), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuStreamCreateWithPriority(nullptr, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuStreamCreate(&stream, 0));
  CHECK_ERROR(cuStreamQuery(none<CUstream>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuStreamSynchronize(none<CUstream>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuStreamWaitEvent(stream, none<CUevent>(), 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuStreamAddCallback(none<CUstream>(), nothing_either, nullptr, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuLaunchHostFunc(none<CUstream>(), nothing, nullptr), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuLaunchHostFunc(stream, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuEventCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuEventCreate(&event, 0x4000), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuEventCreate(&event, CU_EVENT_DEFAULT));
  CHECK_ERROR(cuStreamWaitEvent(none<CUstream>(), event, 0), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuStreamWaitEvent(stream, event, 0x40), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuEventRecord(event, none<CUstream>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuEventQuery(none<CUevent>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuEventDestroy(none<CUevent>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuEventDestroy(event));
  CHECK_ERROR(cuEventDestroy(event), CUDA_ERROR_INVALID_HANDLE);
  CHECK_ERROR(cuEventRecord(event, stream), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuStreamDestroy(stream));
  CHECK_ERROR(cuStreamDestroy(stream), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuEventCreate(&second, CU_EVENT_DEFAULT));
  CHECK_ERROR(cuEventRecord(second, stream), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuEventDestroy(second));
}

static void graphs() {
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode node;
  CHECK_ERROR(cuGraphCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphCreate(&graph, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphCreate(&graph, 0));
  CUDA_KERNEL_NODE_PARAMS params = {};
  CHECK_ERROR(cuGraphAddKernelNode(&node, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK(cuGraphAddKernelNode(&node, graph, nullptr, 0, &params) != CUDA_SUCCESS);
  CHECK_ERROR(cuGraphAddEmptyNode(&node, graph, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphInstantiate(nullptr, graph, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphInstantiate(&exec, none<CUgraph>(), 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuGraphLaunch(none<CUgraphExec>(), nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuGraphInstantiate(&exec, graph, 0));
  CHECK_ERROR(cuGraphLaunch(exec, none<CUstream>()), CUDA_ERROR_INVALID_HANDLE);
  CHECK_CU(cuGraphExecDestroy(exec));
  CHECK_CU(cuGraphDestroy(graph));
}

int main() {
  CUcontext context;
  CHECK_CU(cuInit(0));
  before_any_context();
  devices_and_contexts();
  CHECK_CU(cuCtxCreate(&context, nullptr, 0, 0));
  modules();
  memory();
  streams_and_events();
  graphs();
  CHECK_CU(cuCtxSynchronize());
  CHECK_CU(cuCtxDestroy(context));
  CHECK_ERROR(cuCtxDestroy(context), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return check_report();
}

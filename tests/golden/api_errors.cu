// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpu: no (with the vendor's driver it is the vendor's codes that come back)
// RUN: %mcc %s -o %t && %run %t > %t.out && diff %S/api_errors.expected %t.out
// covers: C-2.1.7-01 C-2.1.7-02 C-2.1.7-03 C-2.1.3-01 M-3.2.2-01 M-3.2.2-04 M-3.2.12-01 M-3.2.12-02
// Prints the result of many right and wrong runtime calls, one line each. The expected lines were recorded on an
// NVIDIA H200 (driver 580, CUDA 13.0): a call that answers otherwise here is a fault of ours. Left out: functions that
// are no kernels, for which that runtime answers invalid resource handle and its documentation says invalid device
// function, as ours does; and copies against their direction, which this device can do (it has pageable memory access).
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

__global__ void nothing() {}
__global__ void store(int *p, int v) { *p = v; }
__global__ void __launch_bounds__(64) bounded() {}
__global__ void big_shared() {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
}
__device__ int variable[4];
__constant__ float constants[8];
int host_variable;

static void show(const char *what, cudaError_t result) {
  cudaError_t last = cudaGetLastError();
  std::printf("%-44s %s | last %s\n", what, cudaGetErrorName(result), cudaGetErrorName(last));
}
#define SHOW(call) show(#call, call)
/// A launch: the result is the last error alone.
#define LAUNCH(...)                                                          \
  do {                                                                       \
    __VA_ARGS__;                                                             \
    cudaError_t peek = cudaPeekAtLastError();                                \
    cudaError_t got = cudaGetLastError();                                    \
    cudaError_t sync = cudaDeviceSynchronize();                              \
    std::printf("%-44s peek %s get %s sync %s\n", #__VA_ARGS__, cudaGetErrorName(peek), cudaGetErrorName(got), \
                cudaGetErrorName(sync));                                     \
  } while (0)

static void launches() {
  std::puts("[launches]");
  LAUNCH(nothing<<<1, 1>>>());
  LAUNCH(nothing<<<0, 1>>>());
  LAUNCH(nothing<<<1, 0>>>());
  LAUNCH(nothing<<<1, 1025>>>());
  LAUNCH(nothing<<<1, dim3(1, 1, 65)>>>());
  LAUNCH(nothing<<<1, dim3(32, 32, 2)>>>());
  LAUNCH(nothing<<<dim3(1, 65536), 1>>>());
  LAUNCH(nothing<<<dim3(1, 1, 65536), 1>>>());
  LAUNCH(nothing<<<dim3(1, 65535), 1>>>());
  LAUNCH(nothing<<<8192, 4096>>>());
  LAUNCH(bounded<<<1, 64>>>());
  LAUNCH(bounded<<<1, 65>>>());
  LAUNCH(big_shared<<<1, 1, 48 * 1024>>>());
  LAUNCH(big_shared<<<1, 1, 48 * 1024 + 1>>>());
  SHOW(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
  LAUNCH(big_shared<<<1, 1, 100 * 1024>>>());
  LAUNCH(big_shared<<<1, 1, 100 * 1024 + 1>>>());
  SHOW(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  SHOW(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 + 1));
  SHOW(cudaFuncSetAttribute(big_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  SHOW(cudaFuncSetAttribute(big_shared, (cudaFuncAttribute)99, 1));
  void *no_args[1] = {nullptr};
  SHOW(cudaLaunchKernel((const void *)nothing, dim3(1), dim3(1), nullptr, 0, 0));
  SHOW(cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), no_args, 0, 0));
  SHOW(cudaLaunchKernel((const void *)nothing, dim3(0), dim3(1), no_args, 0, 0));
  SHOW(cudaLaunchKernel((const void *)nothing, dim3(1), dim3(2000), no_args, 0, 0));
  SHOW(cudaLaunchCooperativeKernel((const void *)nothing, dim3(1 << 20), dim3(1024), no_args, 0, 0));
  SHOW(cudaLaunchCooperativeKernel((const void *)nothing, dim3(4), dim3(32), no_args, 0, 0));
  cudaFuncAttributes attributes;
  SHOW(cudaFuncGetAttributes(&attributes, (const void *)nothing));
  SHOW(cudaFuncGetAttributes(nullptr, (const void *)nothing));
  cudaFuncGetAttributes(&attributes, bounded);
  std::printf("bounded maxThreadsPerBlock %d\n", attributes.maxThreadsPerBlock);
  cudaFuncGetAttributes(&attributes, nothing);
  std::printf("nothing maxThreadsPerBlock %d shared %zu\n", attributes.maxThreadsPerBlock,
              attributes.sharedSizeBytes);
  int blocks = 0, grid = 0, block = 0;
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0));
  SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 2048, 0));
  std::printf("blocks for 2048 threads: %d\n", blocks);
  SHOW(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 0));
  std::printf("potential block %d\n", block);
}

static void memory() {
  std::puts("[memory]");
  void *p = (void *)1, *q = nullptr;
  SHOW(cudaMalloc(&p, 0));
  std::printf("malloc(0) gives %s\n", p == nullptr ? "null" : "a pointer");
  SHOW(cudaMalloc((void **)nullptr, 16));
  SHOW(cudaMalloc(&p, (size_t)1 << 50));
  SHOW(cudaMalloc(&p, 1024));
  SHOW(cudaFree(nullptr));
  SHOW(cudaFree((char *)p + 16));
  SHOW(cudaFree(p));
  SHOW(cudaFree(p));
  SHOW(cudaFree(&host_variable));
  SHOW(cudaMallocHost(&p, 0));
  SHOW(cudaMallocHost(&p, 64));
  SHOW(cudaFree(p));
  SHOW(cudaFreeHost(p));
  SHOW(cudaFreeHost(p));
  SHOW(cudaFreeHost(nullptr));
  SHOW(cudaFreeHost(&host_variable));
  SHOW(cudaHostAlloc(&p, 64, 0x80));
  SHOW(cudaHostAlloc(&p, 64, cudaHostAllocMapped | cudaHostAllocPortable | cudaHostAllocWriteCombined));
  unsigned flags = 0;
  SHOW(cudaHostGetFlags(&flags, p));
  std::printf("host flags %u\n", flags);
  SHOW(cudaHostGetDevicePointer(&q, p, 0));
  SHOW(cudaHostGetDevicePointer(&q, p, 1));
  SHOW(cudaHostGetDevicePointer(&q, &host_variable, 0));
  SHOW(cudaFreeHost(p));
  static char region[1 << 16];
  SHOW(cudaHostRegister(region, sizeof region, 0));
  SHOW(cudaHostRegister(region, sizeof region, 0));
  SHOW(cudaHostUnregister(region + 4096));
  SHOW(cudaHostUnregister(region));
  SHOW(cudaHostUnregister(region));
  SHOW(cudaHostRegister(nullptr, 16, 0));
  SHOW(cudaHostRegister(region, 0, 0));
  SHOW(cudaHostRegister(region, 64, 0x1000));
  SHOW(cudaMallocManaged(&p, 0));
  SHOW(cudaMallocManaged(&p, 64, 0));
  SHOW(cudaMallocManaged(&p, 64, 7));
  SHOW(cudaMallocManaged(&p, 64));
  SHOW(cudaFree(p));
  size_t pitch = 0;
  SHOW(cudaMallocPitch(&p, &pitch, 100, 4));
  std::printf("pitch %zu\n", pitch);
  SHOW(cudaFree(p));
  SHOW(cudaMallocPitch(&p, &pitch, 0, 4));
  cudaPitchedPtr pitched;
  SHOW(cudaMalloc3D(&pitched, make_cudaExtent(100, 3, 2)));
  std::printf("pitched %zu %zu %zu\n", pitched.pitch, pitched.xsize, pitched.ysize);
  SHOW(cudaFree(pitched.ptr));
  size_t free_bytes, total;
  SHOW(cudaMemGetInfo(&free_bytes, &total));
  SHOW(cudaMemGetInfo(nullptr, &total));
  cudaPointerAttributes a;
  SHOW(cudaPointerGetAttributes(&a, &host_variable));
  std::printf("type %d device %d\n", a.type, a.device);
  cudaMalloc(&p, 256);
  SHOW(cudaPointerGetAttributes(&a, (char *)p + 5));
  std::printf("type %d device %d same %d host null %d\n", a.type, a.device, a.devicePointer == (char *)p + 5, a.hostPointer == nullptr);
  SHOW(cudaPointerGetAttributes(&a, nullptr));
  std::printf("type %d\n", a.type);
  SHOW(cudaPointerGetAttributes(nullptr, p));
  cudaFree(p);
}

static void copies() {
  std::puts("[copies]");
  char *d = nullptr, *e = nullptr, h[512] = {};
  cudaMalloc(&d, 256);
  cudaMalloc(&e, 256);
  SHOW(cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpy(e, d, 256, cudaMemcpyDeviceToDevice));
  SHOW(cudaMemcpy(h + 256, h, 256, cudaMemcpyHostToHost));
  SHOW(cudaMemcpy(h, d, 256, cudaMemcpyDefault));
  SHOW(cudaMemcpy(d, h, 256, (cudaMemcpyKind)9));
  SHOW(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, h, 0, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(nullptr, h, 16, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy(d, nullptr, 16, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpyAsync(d, h, 256, cudaMemcpyHostToDevice, (cudaStream_t)0));
  SHOW(cudaMemset(d, 1, 256));
  SHOW(cudaMemset(nullptr, 1, 16));
  SHOW(cudaMemset(nullptr, 1, 0));
  SHOW(cudaMemcpy2D(d, 16, h, 32, 16, 16, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, 8, h, 32, 16, 16, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, 16, h, 8, 16, 16, cudaMemcpyHostToDevice));
  SHOW(cudaMemcpy2D(d, 16, h, 32, 0, 16, cudaMemcpyHostToDevice));
  SHOW(cudaMemset2D(d, 16, 3, 16, 16));
  SHOW(cudaMemset2D(d, 8, 3, 16, 16));
  cudaMemcpy3DParms parms = {};
  SHOW(cudaMemcpy3D(&parms));
  SHOW(cudaMemcpy3D(nullptr));
  SHOW(cudaMemcpyToSymbol(variable, h, 16));
  SHOW(cudaMemcpyToSymbol(variable, h, 17));
  SHOW(cudaMemcpyToSymbol(variable, h, 8, 8));
  SHOW(cudaMemcpyToSymbol(variable, h, 8, 12));
  SHOW(cudaMemcpyToSymbol(variable, h, 4, 0, cudaMemcpyDeviceToHost));
  SHOW(cudaMemcpyToSymbol(constants, h, 32));
  SHOW(cudaMemcpyFromSymbol(h, variable, 16));
  SHOW(cudaMemcpyFromSymbol(h, variable, 20));
  SHOW(cudaMemcpyToSymbol(host_variable, h, 4));
  SHOW(cudaMemcpyFromSymbol(h, variable, 4, 0, cudaMemcpyHostToDevice));
  void *address;
  size_t size;
  SHOW(cudaGetSymbolAddress(&address, variable));
  SHOW(cudaGetSymbolAddress(&address, host_variable));
  SHOW(cudaGetSymbolSize(&size, constants));
  std::printf("size %zu\n", size);
  SHOW(cudaMemcpyPeer(d, 0, e, 0, 16));
  SHOW(cudaMemcpyPeer(d, 0, e, 99, 16));
  cudaFree(d);
  cudaFree(e);
}

static void streams() {
  std::puts("[streams]");
  cudaStream_t s = nullptr, t = nullptr;
  SHOW(cudaStreamCreate(nullptr));
  SHOW(cudaStreamCreateWithFlags(&s, 77));
  SHOW(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  SHOW(cudaStreamCreateWithPriority(&t, cudaStreamDefault, -100));
  int priority = 0;
  SHOW(cudaStreamGetPriority(t, &priority));
  unsigned flags = 9;
  SHOW(cudaStreamGetFlags(s, &flags));
  std::printf("flags %u\n", flags);
  SHOW(cudaStreamQuery(s));
  SHOW(cudaStreamSynchronize(s));
  SHOW(cudaStreamSynchronize(nullptr));
  SHOW(cudaStreamQuery(nullptr));
  SHOW(cudaStreamSynchronize(cudaStreamLegacy));
  SHOW(cudaStreamSynchronize(cudaStreamPerThread));
  SHOW(cudaStreamDestroy(nullptr));
  SHOW(cudaStreamDestroy(cudaStreamLegacy));
  SHOW(cudaStreamDestroy(s));
  SHOW(cudaStreamDestroy(t));
  cudaEvent_t a = nullptr, b = nullptr, c = nullptr;
  SHOW(cudaEventCreate(nullptr));
  SHOW(cudaEventCreateWithFlags(&a, 0x40));
  SHOW(cudaEventCreate(&a));
  SHOW(cudaEventCreate(&b));
  SHOW(cudaEventCreateWithFlags(&c, cudaEventDisableTiming));
  float ms = 0;
  SHOW(cudaEventElapsedTime(&ms, a, b));
  SHOW(cudaEventQuery(a));
  SHOW(cudaEventSynchronize(a));
  SHOW(cudaEventRecord(a));
  SHOW(cudaEventRecord(b));
  SHOW(cudaEventRecord(c));
  SHOW(cudaEventSynchronize(b));
  SHOW(cudaEventElapsedTime(&ms, a, b));
  SHOW(cudaEventElapsedTime(nullptr, a, b));
  cudaDeviceSynchronize();
  SHOW(cudaEventElapsedTime(&ms, a, c));
  SHOW(cudaEventRecord(nullptr));
  SHOW(cudaStreamWaitEvent(nullptr, a, 0));
  SHOW(cudaStreamWaitEvent(nullptr, nullptr, 0));
  SHOW(cudaStreamWaitEvent(nullptr, a, 5));
  SHOW(cudaEventQuery(nullptr));
  SHOW(cudaEventDestroy(nullptr));
  SHOW(cudaEventDestroy(a));
  SHOW(cudaEventDestroy(b));
  SHOW(cudaEventDestroy(c));
  SHOW(cudaLaunchHostFunc(nullptr, nullptr, nullptr));
  SHOW(cudaStreamAddCallback(nullptr, nullptr, nullptr, 0));
  int least, greatest;
  SHOW(cudaDeviceGetStreamPriorityRange(&least, &greatest));
}

static void devices() {
  std::puts("[devices]");
  int n = 0, value = 0, d = 0;
  SHOW(cudaGetDeviceCount(&n));
  SHOW(cudaGetDeviceCount(nullptr));
  SHOW(cudaSetDevice(-1));
  SHOW(cudaSetDevice(n));
  SHOW(cudaSetDevice(0));
  SHOW(cudaGetDevice(&d));
  SHOW(cudaGetDevice(nullptr));
  cudaDeviceProp prop;
  SHOW(cudaGetDeviceProperties(&prop, 0));
  SHOW(cudaGetDeviceProperties(&prop, n));
  SHOW(cudaGetDeviceProperties(&prop, -1));
  SHOW(cudaGetDeviceProperties(nullptr, 0));
  SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  SHOW(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
  SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, n));
  SHOW(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  size_t limit = 0;
  for (int l = 0; l < 7; l++) {
    cudaError_t r = cudaDeviceGetLimit(&limit, (cudaLimit)l);
    std::printf("limit %d: %s\n", l, cudaGetErrorName(r));
    cudaGetLastError();
  }
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  std::printf("stack %zu\n", limit);
  SHOW(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
  SHOW(cudaDeviceSetLimit((cudaLimit)50, 1));
  SHOW(cudaDeviceCanAccessPeer(&value, 0, 0));
  std::printf("self peer %d\n", value);
  SHOW(cudaDeviceCanAccessPeer(&value, 0, n));
  SHOW(cudaDeviceEnablePeerAccess(0, 0));
  SHOW(cudaDeviceDisablePeerAccess(0));
  SHOW(cudaDeviceEnablePeerAccess(n, 0));
  char id[32];
  SHOW(cudaDeviceGetPCIBusId(id, 32, 0));
  SHOW(cudaDeviceGetPCIBusId(id, 2, 0));
  SHOW(cudaDeviceGetPCIBusId(nullptr, 32, 0));
  SHOW(cudaDeviceGetByPCIBusId(&d, "nonsense"));
  SHOW(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  SHOW(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  SHOW(cudaSetDeviceFlags(0x1000));
  SHOW(cudaRuntimeGetVersion(&value));
  SHOW(cudaRuntimeGetVersion(nullptr));
  SHOW(cudaDriverGetVersion(nullptr));
  SHOW(cudaChooseDevice(&d, &prop));
  SHOW(cudaInitDevice(0, 0, 0));
  SHOW(cudaInitDevice(n, 0, 0));
  SHOW(cudaDeviceReset());
  SHOW(cudaDeviceSynchronize());
  std::printf("%s|%s|%s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345), cudaGetErrorString(cudaErrorInvalidValue));
}

// A fault is sticky: each runs in a process of its own.
__global__ void null_store() { *(volatile int *)nullptr = 1; }
__global__ void wild_store(int *p) { p[(size_t)1 << 40] = 1; }
__global__ void trap() { __trap(); }
__global__ void misaligned(char *p) { *(volatile int *)(p + 1) = 1; }

static void fault(const char *which) {
  int *p;
  cudaMalloc(&p, 64);
  if (!std::strcmp(which, "null")) null_store<<<1, 1>>>();
  if (!std::strcmp(which, "wild")) wild_store<<<1, 1>>>(p);
  if (!std::strcmp(which, "trap")) trap<<<1, 1>>>();
  if (!std::strcmp(which, "misaligned")) misaligned<<<1, 1>>>((char *)p);
  std::printf("fault %s: launch %s\n", which, cudaGetErrorName(cudaGetLastError()));
  std::printf("sync %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("peek %s\n", cudaGetErrorName(cudaPeekAtLastError()));
  std::printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("last again %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("malloc %s\n", cudaGetErrorName(cudaMalloc(&p, 64)));
  nothing<<<1, 1>>>();
  std::printf("launch %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("free %s\n", cudaGetErrorName(cudaFree(p)));
  int n;
  std::printf("count %s\n", cudaGetErrorName(cudaGetDeviceCount(&n)));
  cudaStream_t s;
  std::printf("stream %s\n", cudaGetErrorName(cudaStreamCreate(&s)));
  std::printf("reset %s\n", cudaGetErrorName(cudaDeviceReset()));
}

int main(int argc, char **argv) {
  if (argc > 1) {
    fault(argv[1]);
    return 0;
  }
  launches();
  memory();
  copies();
  streams();
  devices();
  std::fflush(stdout);
  for (const char *which : {"null", "wild", "trap"}) {
    char command[4096];
    std::snprintf(command, sizeof command, "'%s' %s", argv[0], which);
    if (std::system(command) != 0) std::printf("fault process %s failed\n", which);
  }
  return 0;
}

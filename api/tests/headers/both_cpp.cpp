// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ headers of both spellings in one translation unit, from C++11 up, with a host compiler.
#define HELICON_NO_DEPRECATED  // the forms of earlier versions are used on purpose
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <muComplex.h>
#include <musa.h>
#include <musa_runtime.h>

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__MUSA_RUNTIME_H__) || !defined(__cuda_cuda_h__)
#error "programs ask for these"
#endif

static_assert(!__is_same(cudaStream_t, musaStream_t) && !__is_same(CUcontext, MUcontext), "handles are distinct");
static_assert(static_cast<int>(musaErrorInvalidValue) == static_cast<int>(cudaErrorInvalidValue), "values agree");
static_assert(sizeof(musaDeviceProp) == sizeof(cudaDeviceProp), "layouts agree");
static_assert(dim3(4).x == 4 && dim3(4).y == 1 && static_cast<uint3>(dim3(1, 2, 3)).z == 3, "dim3 counts from one");

namespace other {
struct musaDeviceProp {};  // names are names: they can be declared again elsewhere
inline int musaMalloc(int x) { return x; }
}  // namespace other

static float table[16];
void kernel(int *, float);

int use() {
  int *p = nullptr;
  int sum = cudaMalloc(&p, 4);
  sum += musaMalloc(&p, 4);
  sum += cudaMallocHost(&p, 4);
  sum += musaHostAlloc(&p, 4, musaHostAllocMapped);
  sum += cudaMallocManaged(&p, 4);
  sum += musaMallocManaged(&p, 4);
  sum += cudaMallocAsync(&p, 4, cudaStream_t(0));
  sum += cudaMemcpyToSymbol(table, p, 4);
  sum += musaMemcpyFromSymbol(p, table, 4, 0, ::musaMemcpyDeviceToHost);
  sum += cudaGetSymbolAddress(reinterpret_cast<void **>(&p), table);
  cudaEvent_t event;
  musaEvent_t musa_event;
  sum += cudaEventCreate(&event);
  sum += cudaEventCreate(&event, cudaEventDisableTiming);
  sum += musaEventCreate(&musa_event, 0);
  int grid = 0, block = 0;
  sum += cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel);
  sum += musaOccupancyMaxPotentialBlockSize(&grid, &block, kernel);
  cudaFuncAttributes attributes;
  sum += cudaFuncGetAttributes(&attributes, kernel);
  sum += cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1);
  void *args[] = {&p};
  sum += cudaLaunchKernel(kernel, dim3(1), dim3(1), args, 0, 0);
  sum += cudaLaunchKernel(reinterpret_cast<void *>(kernel), 1, 1, args, 0, 0);
  cudaLaunchConfig_t config = {};
  sum += cudaLaunchKernelEx(&config, kernel, p, 1);  // int becomes the kernel's float
  musaLaunchConfig_t musa_config = {};
  sum += musaLaunchKernelEx(&musa_config, kernel, p, 1.0);
  sum += cudaCreateChannelDesc<float4>().x + musaCreateChannelDesc<uchar2>().y + cudaCreateChannelDesc<cudaChannelFormatKindNV12>().x;
  cudaGraphExec_t exec = nullptr;
  sum += cudaGraphInstantiate(&exec, cudaGraph_t(nullptr), nullptr, nullptr, 0);
  sum += cudaGraphInstantiate(&exec, cudaGraph_t(nullptr), 0);
  MUcontext context;
  sum += muCtxCreate(&context, 0, 0);
  sum += cuCtxCreate(nullptr, nullptr, 0, 0);
  CUcontext cuda_context;
  sum += cuCtxCreate(&cuda_context, 0, 0);  // as before CUDA 13
  sum += cudaMemPrefetchAsync(p, 4, 0) + cudaMemPrefetchAsync(p, 4, cudaCpuDeviceId, 0);
  sum += cudaMemPrefetchAsync(p, 4, {cudaMemLocationTypeDevice, 0}, 0) + cudaMemAdvise(p, 4, cudaMemAdviseSetReadMostly, 0);
  sum += musaThreadSynchronize();
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult result;
  sum += cudaGraphExecUpdate(exec, nullptr, &node, &result) + cudaGraphAddDependencies(nullptr, &node, &node, 1);
  musaDeviceProp properties;
  properties.clockRate = 1;
  sum += properties.clockRate;
  return sum + other::musaMalloc(1) + static_cast<int>(make_cudaExtent(1, 2, 3).depth + make_musaPos(1, 2, 3).z);
}

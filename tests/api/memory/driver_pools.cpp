// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools by the driver API, and pools of places other than devices: the host, its NUMA nodes, managed memory.
// RUN: %mcc %s -o %t && %run %t
// RUN: env HELICON_CPU_DEVICES=2 %run %t
// oracle: no (a GPU reserves memory in larger pieces)
// covers: C-4.19-02 C-4.19-01 C-4.3.3-01 C-4.3.3-02
#include "check.h"

#include <cuda.h>
#include <cuda_runtime.h>

constexpr size_t kBytes = 1 << 20;

static CUstream stream;
static CUmemLocation kDevice = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
static CUmemLocation kHost = {CU_MEM_LOCATION_TYPE_HOST, 0};
static CUmemLocation kNode = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
static CUmemLocation kNowhere = {CU_MEM_LOCATION_TYPE_NONE, 0};
constexpr CUmemAllocationType kPinned = CU_MEM_ALLOCATION_TYPE_PINNED, kManaged = CU_MEM_ALLOCATION_TYPE_MANAGED;

static CUmemoryPool make_pool(CUmemLocation location, CUmemAllocationType type = kPinned) {
  CUmemPoolProps props = {};
  props.allocType = type;
  props.location = location;
  CUmemoryPool pool = nullptr;
  CHECK_CU(cuMemPoolCreate(&pool, &props));
  return pool;
}

static uint64_t attribute(CUmemoryPool pool, CUmemPool_attribute which) {
  uint64_t value = ~0ull;
  CHECK_CU(cuMemPoolGetAttribute(pool, which, &value));
  return value;
}

static void by_the_driver() {
  CUmemoryPool pool = make_pool(kDevice), none = pool;
  uint64_t all = UINT64_MAX;
  CHECK_CU(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
  CHECK_EQ(attribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), all);
  CUdeviceptr memory = 0;
  CHECK_CU(cuMemAllocFromPoolAsync(&memory, kBytes, pool, stream));
  CHECK_CU(cuMemsetD8Async(memory, 1, kBytes, stream));
  CHECK_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kBytes);
  CHECK_CU(cuMemFreeAsync(memory, stream));
  CHECK_CU(cuStreamSynchronize(stream));
  CHECK_EQ(attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), kBytes);
  CHECK_CU(cuMemPoolTrimTo(pool, 0));
  CHECK_EQ(attribute(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);

  CHECK_ERROR(cuMemAllocFromPoolAsync(nullptr, kBytes, pool, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemAllocFromPoolAsync(&memory, SIZE_MAX / 2, pool, stream), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_ERROR(cuMemAllocFromPoolAsync(&memory, kBytes, nullptr, stream), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &all), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolGetAttribute(pool, (CUmemPool_attribute)99, &all), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemPoolDestroy(pool));
  CHECK_ERROR(cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolTrimTo(pool, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &all), CUDA_ERROR_INVALID_VALUE);

  CUmemPoolProps props = {};
  props.allocType = kPinned;
  props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 99};
  CHECK_ERROR(cuMemPoolCreate(&none, &props), CUDA_ERROR_INVALID_DEVICE);
  props.location = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 4000};
  CHECK_ERROR(cuMemPoolCreate(&none, &props), CUDA_ERROR_INVALID_VALUE);
  props.location = kNowhere;
  CHECK_ERROR(cuMemPoolCreate(&none, &props), CUDA_ERROR_INVALID_VALUE);
  props.location = kDevice;
  props.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
  CHECK_ERROR(cuMemPoolCreate(&none, &props), CUDA_ERROR_INVALID_VALUE);
  props.allocType = kPinned;
  props.handleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
  CHECK_ERROR(cuMemPoolCreate(&none, &props), CUDA_ERROR_NOT_SUPPORTED);
  CHECK_ERROR(cuMemPoolCreate(&none, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolCreate(nullptr, &props), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(none, pool);
}

static void pools_of_devices() {
  CUmemoryPool standard = nullptr, now = nullptr, again = nullptr, own = make_pool(kDevice);
  CHECK_CU(cuDeviceGetDefaultMemPool(&standard, 0));
  CHECK_CU(cuMemGetDefaultMemPool(&again, &kDevice, kPinned));
  CHECK_EQ(again, standard);
  CHECK_CU(cuDeviceSetMemPool(0, own));
  CHECK_CU(cuDeviceGetMemPool(&now, 0));
  CHECK_EQ(now, own);
  CHECK_CU(cuMemGetMemPool(&again, &kDevice, kPinned));
  CHECK_EQ(again, own);
  CHECK_CU(cuMemSetMemPool(&kDevice, kPinned, standard));
  CHECK_CU(cuDeviceGetMemPool(&now, 0));
  CHECK_EQ(now, standard);
  CHECK_ERROR(cuMemPoolDestroy(standard), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemPoolDestroy(own));
  CHECK_ERROR(cuDeviceSetMemPool(0, own), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceSetMemPool(99, standard), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGetMemPool(&now, 99), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGetMemPool(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuDeviceGetDefaultMemPool(&now, -1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuDeviceGetDefaultMemPool(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
}

/// Access is what was set; a device always has its own pool's.
static void access() {
  int devices = 0;
  CHECK_CU(cuDeviceGetCount(&devices));
  CUmemoryPool pool = make_pool(kDevice);
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  CHECK_CU(cuMemPoolGetAccess(&flags, pool, &kDevice));
  CHECK_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  CUmemAccessDesc map = {kDevice, CU_MEM_ACCESS_FLAGS_PROT_NONE};
  CHECK_ERROR(cuMemPoolSetAccess(pool, &map, 1), CUDA_ERROR_INVALID_DEVICE);
  if (devices > 1) {
    map.location.id = 1;
    CHECK_CU(cuMemPoolGetAccess(&flags, pool, &map.location));
    CHECK_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
    map.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CHECK_CU(cuMemPoolSetAccess(pool, &map, 1));
    cudaMemAccessFlags seen = cudaMemAccessFlagsProtNone;
    cudaMemLocation second = {cudaMemLocationTypeDevice, 1};
    CHECK_CUDA(cudaMemPoolGetAccess(&seen, (cudaMemPool_t)pool, &second));
    CHECK_EQ(seen, cudaMemAccessFlagsProtReadWrite);
  }
  map = {kDevice, CU_MEM_ACCESS_FLAGS_PROT_READ};
  CHECK_ERROR(cuMemPoolSetAccess(pool, &map, 1), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolSetAccess(pool, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
  map = {{CU_MEM_LOCATION_TYPE_DEVICE, 99}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK_ERROR(cuMemPoolSetAccess(pool, &map, 1), CUDA_ERROR_INVALID_DEVICE);
  CHECK_ERROR(cuMemPoolGetAccess(nullptr, pool, &kDevice), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolGetAccess(&flags, pool, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolGetAccess(&flags, pool, &kNowhere), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemPoolDestroy(pool));
}

/// What a device's stream-ordered allocations give when its pool is the host's.
static void host_pool(CUmemLocation location) {
  CUmemoryPool pool = make_pool(location), standard = nullptr;
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK_CU(cuMemPoolGetAccess(&flags, pool, &kDevice));
  CHECK_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CUmemAccessDesc map = {kDevice, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CHECK_CU(cuMemPoolSetAccess(pool, &map, 1));
  CHECK_CUDA(cudaDeviceSetMemPool(0, (cudaMemPool_t)pool));
  int *memory = nullptr;
  CHECK_CUDA(cudaMallocAsync((void **)&memory, kBytes, stream));
  CHECK_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kBytes);
  CHECK_CUDA(cudaMemsetAsync(memory, 1, kBytes, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_EQ(memory[kBytes / 4 - 1], 0x01010101);
  cudaPointerAttributes known = {};
  CHECK_CUDA(cudaPointerGetAttributes(&known, memory));
  CHECK_EQ(known.type, cudaMemoryTypeHost);
  CHECK_ERROR(cudaFreeHost(memory), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeAsync(memory, stream));
  CHECK_ERROR(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  CHECK_CUDA(cudaMallocAsync((void **)&memory, kBytes, stream));
  CHECK_CUDA(cudaFree(memory));
  CHECK_EQ(attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
  CHECK_CU(cuDeviceGetDefaultMemPool(&standard, 0));
  CHECK_CU(cuDeviceSetMemPool(0, standard));
  CHECK_CU(cuMemPoolDestroy(pool));
}

static void host_pools() {
  int supported = 0;
  CHECK_CU(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, 0));
  CHECK_EQ(supported, 1);
  host_pool(kHost);
  host_pool(kNode);
  CUmemoryPool standard = nullptr, now = nullptr, device = make_pool(kDevice), own = make_pool(kHost);
  CHECK_CU(cuMemGetDefaultMemPool(&standard, &kHost, kPinned));
  CHECK_CU(cuMemGetMemPool(&now, &kHost, kPinned));
  CHECK_EQ(now, standard);
  CHECK_CU(cuMemSetMemPool(&kHost, kPinned, own));
  CHECK_CU(cuMemGetMemPool(&now, &kHost, kPinned));
  CHECK_EQ(now, own);
  CHECK_CU(cuMemPoolDestroy(own));  // the default one takes its place
  CHECK_CU(cuMemGetMemPool(&now, &kHost, kPinned));
  CHECK_EQ(now, standard);
  CHECK_ERROR(cuMemSetMemPool(&kHost, kPinned, device), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemPoolDestroy(standard), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetDefaultMemPool(&now, nullptr, kPinned), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetDefaultMemPool(nullptr, &kHost, kPinned), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetDefaultMemPool(&now, &kHost, CU_MEM_ALLOCATION_TYPE_INVALID), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetMemPool(nullptr, &kHost, kPinned), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemGetMemPool(&now, nullptr, kPinned), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemSetMemPool(nullptr, kPinned, standard), CUDA_ERROR_INVALID_VALUE);
  CHECK_ERROR(cuMemSetMemPool(&kHost, kPinned, own), CUDA_ERROR_INVALID_VALUE);
  CHECK_CU(cuMemPoolDestroy(device));
}

static void managed_pools() {
  cudaMemLocation nowhere = {cudaMemLocationTypeNone, 0}, device = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t standard = nullptr, now = nullptr;
  CHECK_CUDA(cudaMemGetDefaultMemPool(&standard, &nowhere, cudaMemAllocationTypeManaged));
  CHECK_CUDA(cudaMemGetMemPool(&now, &nowhere, cudaMemAllocationTypeManaged));
  CHECK_EQ(now, standard);
  cudaMemPool_t own = (cudaMemPool_t)make_pool(kDevice, kManaged);
  CHECK_CUDA(cudaMemSetMemPool(&device, cudaMemAllocationTypeManaged, own));
  CHECK_CUDA(cudaMemGetMemPool(&now, &device, cudaMemAllocationTypeManaged));
  CHECK_EQ(now, own);
  CHECK_ERROR(cudaDeviceSetMemPool(0, own), cudaErrorInvalidValue);
  int *memory = nullptr;
  CHECK_CUDA(cudaMallocFromPoolAsync((void **)&memory, kBytes, own, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  memory[7] = 7;
  cudaPointerAttributes known = {};
  CHECK_CUDA(cudaPointerGetAttributes(&known, memory));
  CHECK_EQ(known.type, cudaMemoryTypeManaged);
  CHECK_CUDA(cudaFreeAsync(memory, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaMemPoolDestroy(own));
  CHECK_ERROR(cudaMemGetDefaultMemPool(&now, nullptr, cudaMemAllocationTypeManaged), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemGetMemPool(nullptr, &device, cudaMemAllocationTypeManaged), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemSetMemPool(&device, cudaMemAllocationTypeManaged, own), cudaErrorInvalidValue);
}

int main() {
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  by_the_driver();
  pools_of_devices();
  access();
  host_pools();
  managed_pools();
  CHECK_CU(cuStreamDestroy(stream));
  return check_report();
}

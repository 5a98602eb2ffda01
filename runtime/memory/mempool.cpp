// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools that stream-ordered allocations come from. A cudaMemPool_t is the driver's CUmemoryPool.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {

static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps) &&
              sizeof(cudaMemAccessDesc) == sizeof(CUmemAccessDesc));

Result<void> device_get_default_mem_pool(cudaMemPool_t *memPool, int device) {
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->DeviceGetDefaultMemPool(memPool, device));
}

Result<void> device_set_mem_pool(int device, cudaMemPool_t memPool) {
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->DeviceSetMemPool(device, memPool));
}

Result<void> device_get_mem_pool(cudaMemPool_t *memPool, int device) {
  HEL_TRY(check_device(device));
  return check(HEL_TRY(driver())->DeviceGetMemPool(memPool, device));
}

static CUmemLocation *driver_location(cudaMemLocation *location) {
  static_assert(sizeof(cudaMemLocation) == sizeof(CUmemLocation));
  return reinterpret_cast<CUmemLocation *>(location);
}

Result<void> mem_get_default_mem_pool(cudaMemPool_t *memPool, cudaMemLocation *location, cudaMemAllocationType type) {
  return check(HEL_TRY(driver())->MemGetDefaultMemPool(memPool, driver_location(location),
                                                       static_cast<CUmemAllocationType>(type)));
}

Result<void> mem_get_mem_pool(cudaMemPool_t *memPool, cudaMemLocation *location, cudaMemAllocationType type) {
  return check(
      HEL_TRY(driver())->MemGetMemPool(memPool, driver_location(location), static_cast<CUmemAllocationType>(type)));
}

Result<void> mem_set_mem_pool(cudaMemLocation *location, cudaMemAllocationType type, cudaMemPool_t memPool) {
  return check(
      HEL_TRY(driver())->MemSetMemPool(driver_location(location), static_cast<CUmemAllocationType>(type), memPool));
}

Result<void> malloc_from_pool_async(void **ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  if (ptr == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "ptr is null");
  }
  return check(HEL_TRY(bound_driver())->MemAllocFromPoolAsync(driver_out(ptr), size, memPool, stream));
}

Result<void> mem_pool_trim_to(cudaMemPool_t memPool, size_t minBytesToKeep) {
  return check(HEL_TRY(driver())->MemPoolTrimTo(memPool, minBytesToKeep));
}

Result<void> mem_pool_set_attribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value) {
  return check(HEL_TRY(driver())->MemPoolSetAttribute(memPool, static_cast<CUmemPool_attribute>(attr), value));
}

Result<void> mem_pool_get_attribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void *value) {
  return check(HEL_TRY(driver())->MemPoolGetAttribute(memPool, static_cast<CUmemPool_attribute>(attr), value));
}

Result<void> mem_pool_set_access(cudaMemPool_t memPool, const cudaMemAccessDesc *descList, size_t count) {
  return check(
      HEL_TRY(driver())->MemPoolSetAccess(memPool, reinterpret_cast<const CUmemAccessDesc *>(descList), count));
}

Result<void> mem_pool_get_access(cudaMemAccessFlags *flags, cudaMemPool_t memPool, cudaMemLocation *location) {
  return check(HEL_TRY(driver())->MemPoolGetAccess(reinterpret_cast<CUmemAccess_flags *>(flags), memPool,
                                                   reinterpret_cast<CUmemLocation *>(location)));
}

Result<void> mem_pool_create(cudaMemPool_t *memPool, const cudaMemPoolProps *poolProps) {
  return check(HEL_TRY(driver())->MemPoolCreate(memPool, reinterpret_cast<const CUmemPoolProps *>(poolProps)));
}

Result<void> mem_pool_destroy(cudaMemPool_t memPool) { return check(HEL_TRY(driver())->MemPoolDestroy(memPool)); }

}  // namespace hel::rt

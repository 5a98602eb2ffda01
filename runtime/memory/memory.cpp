// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocation of device, host and managed memory, and questions about pointers.
#include "helicon/gen/runtime_impl.h"
#include "runtime/core/context.h"
#include "runtime/core/convert.h"

namespace hel::rt {
namespace {

Result<void> need(const void *out, const char *what) {
  if (out == nullptr) {
    return HEL_FAIL(cudaErrorInvalidValue, "%s is null", what);
  }
  return {};
}

/// The address that `allocate` writes to its argument; null for no bytes. A driver may write although it fails; then
/// `*out` stays.
template <typename Allocate> Result<void> give(void **out, size_t bytes, Allocate allocate) {
  CUdeviceptr address = 0;
  if (bytes != 0) {
    HEL_TRY(check(allocate(&address)));
  }
  *out = reinterpret_cast<void *>(address);
  return {};
}

}  // namespace

Result<void> malloc(void **devPtr, size_t size) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(need(devPtr, "devPtr"));
  return give(devPtr, size, [&](CUdeviceptr *address) { return cu->MemAlloc(address, size); });
}

Result<void> free(void *devPtr) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return devPtr == nullptr ? check_alive(*cu) : check(cu->MemFree(device_pointer(devPtr)));
}

Result<void> malloc_host(void **ptr, size_t size) { return host_alloc(ptr, size, cudaHostAllocDefault); }

Result<void> host_alloc(void **pHost, size_t size, unsigned int flags) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(need(pHost, "pHost"));
  constexpr unsigned kAll = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if ((flags & ~kAll) != 0) {
    return HEL_FAIL(cudaErrorInvalidValue, "flags 0x%x are not defined", flags);
  }
  return give(pHost, size,
              [&](CUdeviceptr *address) { return cu->MemHostAlloc(reinterpret_cast<void **>(address), size, flags); });
}

Result<void> free_host(void *ptr) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  return ptr == nullptr ? check_alive(*cu) : check(cu->MemFreeHost(ptr));
}

Result<void> host_register(void *ptr, size_t size, unsigned int flags) {
  return check(HEL_TRY(bound_driver())->MemHostRegister(ptr, size, flags));
}

Result<void> host_unregister(void *ptr) { return check(HEL_TRY(bound_driver())->MemHostUnregister(ptr)); }

Result<void> host_get_device_pointer(void **pDevice, void *pHost, unsigned int flags) {
  HEL_TRY(need(pDevice, "pDevice"));
  return check(HEL_TRY(bound_driver())->MemHostGetDevicePointer(driver_out(pDevice), pHost, flags));
}

Result<void> host_get_flags(unsigned int *pFlags, void *pHost) {
  return check(HEL_TRY(bound_driver())->MemHostGetFlags(pFlags, pHost));
}

Result<void> malloc_managed(void **devPtr, size_t size, unsigned int flags) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(need(devPtr, "devPtr"));
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return HEL_FAIL(cudaErrorInvalidValue, "flags %u are neither cudaMemAttachGlobal nor cudaMemAttachHost", flags);
  }
  return give(devPtr, size, [&](CUdeviceptr *address) { return cu->MemAllocManaged(address, size, flags); });
}

Result<void> malloc_pitch(void **devPtr, size_t *pitch, size_t width, size_t height) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(need(devPtr, "devPtr"));
  HEL_TRY(need(pitch, "pitch"));
  constexpr unsigned kElementBytes = 16;  // the widest access that the driver keeps coalesced
  size_t distance = 0;
  HEL_TRY(give(devPtr, width != 0 ? height : 0, [&](CUdeviceptr *address) {
    return cu->MemAllocPitch(address, &distance, width, height, kElementBytes);
  }));
  *pitch = distance;
  return {};
}

Result<void> malloc3d(cudaPitchedPtr *pitchedDevPtr, cudaExtent extent) {
  HEL_TRY(need(pitchedDevPtr, "pitchedDevPtr"));
  size_t rows = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
    return HEL_FAIL(cudaErrorMemoryAllocation, "%zu x %zu rows are too many", extent.height, extent.depth);
  }
  void *pointer = nullptr;
  size_t pitch = 0;
  HEL_TRY(malloc_pitch(&pointer, &pitch, extent.width, rows));
  *pitchedDevPtr = {pointer, pitch, extent.width, extent.height};
  return {};
}

Result<void> malloc_async(void **devPtr, size_t size, cudaStream_t hStream) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(need(devPtr, "devPtr"));
  return give(devPtr, size, [&](CUdeviceptr *address) { return cu->MemAllocAsync(address, size, hStream); });
}

Result<void> free_async(void *devPtr, cudaStream_t hStream) {
  return check(HEL_TRY(bound_driver())->MemFreeAsync(device_pointer(devPtr), hStream));
}

Result<void> mem_get_info(size_t *free, size_t *total) {
  // Either may be null: the caller does not ask for it.
  size_t unasked = 0;
  return check(HEL_TRY(bound_driver())->MemGetInfo(free != nullptr ? free : &unasked, total != nullptr ? total : &unasked));
}

Result<void> pointer_get_attributes(cudaPointerAttributes *attributes, const void *ptr) {
  const DriverTable *cu = HEL_TRY(bound_driver());
  HEL_TRY(need(attributes, "attributes"));
  unsigned memory_type = 0;
  unsigned managed = 0;
  int ordinal = cudaInvalidDeviceId;
  CUdeviceptr device = 0;
  void *host = nullptr;
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                 CU_POINTER_ATTRIBUTE_HOST_POINTER};
  void *answers[] = {&memory_type, &managed, &ordinal, &device, &host};
  HEL_TRY(check(cu->PointerGetAttributes(5, which, answers, device_pointer(ptr))));
  *attributes = {};
  attributes->devicePointer = reinterpret_cast<void *>(device);
  attributes->hostPointer = host;
  attributes->device = ordinal;
  if (managed != 0) {
    attributes->type = cudaMemoryTypeManaged;
  } else if (memory_type == CU_MEMORYTYPE_HOST) {
    attributes->type = cudaMemoryTypeHost;
  } else if (memory_type == CU_MEMORYTYPE_DEVICE) {
    attributes->type = cudaMemoryTypeDevice;
  } else {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = cudaInvalidDeviceId;
    attributes->devicePointer = nullptr;
    attributes->hostPointer = const_cast<void *>(ptr);
  }
  return {};
}

Result<void> mem_prefetch_async(const void *devPtr, size_t count, cudaMemLocation location, unsigned int flags,
                                cudaStream_t stream) {
  CUmemLocation place{static_cast<CUmemLocationType>(location.type), location.id};
  return check(HEL_TRY(bound_driver())->MemPrefetchAsync(device_pointer(devPtr), count, place, flags, stream));
}

Result<void> mem_advise(const void *devPtr, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  CUmemLocation place{static_cast<CUmemLocationType>(location.type), location.id};
  return check(HEL_TRY(bound_driver())
                   ->MemAdvise(device_pointer(devPtr), count, static_cast<CUmem_advise>(advice), place));
}

Result<void> mem_range_get_attribute(void *data, size_t dataSize, cudaMemRangeAttribute attribute, const void *devPtr,
                                     size_t count) {
  return check(HEL_TRY(bound_driver())
                   ->MemRangeGetAttribute(data, dataSize, static_cast<CUmem_range_attribute>(attribute),
                                          device_pointer(devPtr), count));
}

Result<void> mem_range_get_attributes(void **data, size_t *dataSizes, cudaMemRangeAttribute *attributes,
                                      size_t numAttributes, const void *devPtr, size_t count) {
  return check(HEL_TRY(bound_driver())
                   ->MemRangeGetAttributes(data, dataSizes, reinterpret_cast<CUmem_range_attribute *>(attributes),
                                           numAttributes, device_pointer(devPtr), count));
}

}  // namespace hel::rt

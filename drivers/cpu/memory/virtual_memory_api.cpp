// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: virtual memory management.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/virtual_memory.h"
#include "helicon/gen/cpu_impl.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

namespace hel::cpu {
namespace {

Result<void> check_unit(unsigned long long value, const char *name) {
  if (value % kMappingUnit != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%s, %llu, is no multiple of %zu", name, value, kMappingUnit);
  }
  return {};
}

Result<void> check_range(CUdeviceptr address, size_t bytes) {
  HEL_TRY(check_unit(address, "the address"));
  HEL_TRY(check_unit(bytes, "the size"));
  if (bytes == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the size is 0");
  }
  return {};
}

Result<void> check_no_flags(unsigned long long flags) {
  if (flags != 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags are 0x%llx and must be 0", flags);
  }
  return {};
}

Result<Device *> check_prop(const CUmemAllocationProp *prop) {
  HEL_TRY(check_out(prop, "prop"));
  if (prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no memory has the type %d", static_cast<int>(prop->type));
  }
  if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "memory at locations of type %d is not supported",
                         static_cast<int>(prop->location.type));
  }
  if ((prop->requestedHandleTypes & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "handle types 0x%x are not supported",
                         static_cast<unsigned>(prop->requestedHandleTypes));
  }
  return find_device(prop->location.id);
}

Result<void> check_location(const CUmemLocation &location) {
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
    if (!find_device(location.id)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "there is no device %d", location.id);
    }
    return {};
  }
  if (location.type == CU_MEM_LOCATION_TYPE_HOST) {
    return {};
  }
  return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "a location of type %d has no access of its own",
                  static_cast<int>(location.type));
}

Result<void> publish_memory(CUmemGenericAllocationHandle *out, PhysicalMemory *memory) {
  Ref<PhysicalMemory> published = HEL_TRY(publish(memory));
  *out = static_cast<CUmemGenericAllocationHandle>(reinterpret_cast<uintptr_t>(published->handle()));
  return {};
}

/// Nobody may still use memory that changes its place.
void finish_current_work() {
  if (Ref<Context> context = current_context_or_null(); context && context->active()) {
    context->synchronize();
  }
}

}  // namespace

Result<void> mem_get_allocation_granularity(size_t *granularity, const CUmemAllocationProp *prop,
                                            CUmemAllocationGranularity_flags option) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(granularity, "granularity"));
  HEL_TRY(check_prop(prop));
  if (option != CU_MEM_ALLOC_GRANULARITY_MINIMUM && option != CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "no granularity has the number %d", static_cast<int>(option));
  }
  *granularity = kMappingUnit;
  return {};
}

Result<void> mem_address_reserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                                 unsigned long long flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(ptr, "ptr"));
  HEL_TRY(check_range(0, size));
  HEL_TRY(check_no_flags(flags));
  if (alignment != 0 && !std::has_single_bit(alignment)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the alignment %zu is no power of two", alignment);
  }
  *ptr = HEL_TRY(VirtualMemory::instance().reserve(size, std::max(alignment, kMappingUnit)));
  return {};
}

Result<void> mem_address_free(CUdeviceptr ptr, size_t size) {
  HEL_TRY(check_initialized());
  return VirtualMemory::instance().free(ptr, size);
}

Result<void> mem_create(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
                        unsigned long long flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(handle, "handle"));
  Device *device = HEL_TRY(check_prop(prop));
  HEL_TRY(check_range(0, size));
  HEL_TRY(check_no_flags(flags));
  if (!device->reserve(size)) {
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "the device has no %zu bytes left", size);
  }
  int file = memfd_create("helicon-memory", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) {
    if (file >= 0) {
      close(file);
    }
    device->unreserve(size);
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "the system has no %zu bytes of shared memory", size);
  }
  return publish_memory(handle, new PhysicalMemory(*device, *prop, file, size, true));
}

Result<void> mem_release(CUmemGenericAllocationHandle handle) {
  HEL_TRY(check_initialized());
  return VirtualMemory::instance().release(handle);
}

Result<void> mem_map(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                     unsigned long long flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_range(ptr, size));
  HEL_TRY(check_unit(offset, "the offset"));
  HEL_TRY(check_no_flags(flags));
  return VirtualMemory::instance().map(ptr, size, offset, handle);
}

Result<void> mem_unmap(CUdeviceptr ptr, size_t size) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_range(ptr, size));
  finish_current_work();
  return VirtualMemory::instance().unmap(ptr, size);
}

Result<void> mem_set_access(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_range(ptr, size));
  HEL_TRY(check_out(desc, "desc"));
  for (size_t i = 0; i < count; i++) {
    HEL_TRY(check_location(desc[i].location));
    const unsigned flags = desc[i].flags;
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "access flags %u are invalid", flags);
    }
  }
  finish_current_work();
  return VirtualMemory::instance().set_access(ptr, size, std::vector<CUmemAccessDesc>(desc, desc + count));
}

Result<void> mem_get_access(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(flags, "flags"));
  HEL_TRY(check_out(location, "location"));
  HEL_TRY(check_location(*location));
  *flags = HEL_TRY(VirtualMemory::instance().access(ptr, *location));
  return {};
}

Result<void> mem_retain_allocation_handle(CUmemGenericAllocationHandle *handle, void *addr) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(handle, "handle"));
  *handle = HEL_TRY(VirtualMemory::instance().retain_at(reinterpret_cast<uintptr_t>(addr)));
  return {};
}

Result<void> mem_get_allocation_properties_from_handle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(prop, "prop"));
  *prop = HEL_TRY(VirtualMemory::instance().memory(handle))->prop();
  return {};
}

Result<void> mem_export_to_shareable_handle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                            CUmemAllocationHandleType handleType, unsigned long long flags) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(shareableHandle, "shareableHandle"));
  HEL_TRY(check_no_flags(flags));
  Ref<PhysicalMemory> memory = HEL_TRY(VirtualMemory::instance().memory(handle));
  if (handleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR ||
      (memory->prop().requestedHandleTypes & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the memory was not created to be exported as type %d",
                    static_cast<int>(handleType));
  }
  const int file = fcntl(memory->file(), F_DUPFD_CLOEXEC, 0);
  if (file < 0) {
    return HEL_FAIL(CUDA_ERROR_OPERATING_SYSTEM, "no file descriptor is left");
  }
  *static_cast<int *>(shareableHandle) = file;
  return {};
}

/// The memory belongs to another process; here it counts as the first device's, without taking from it.
Result<void> mem_import_from_shareable_handle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                              CUmemAllocationHandleType shHandleType) {
  Device *device = HEL_TRY(find_device(0));
  HEL_TRY(check_out(handle, "handle"));
  if (shHandleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "handles of type %d are not supported",
                         static_cast<int>(shHandleType));
  }
  const int file = fcntl(static_cast<int>(reinterpret_cast<intptr_t>(osHandle)), F_DUPFD_CLOEXEC, 0);
  struct stat facts {};
  if (file < 0 || fstat(file, &facts) != 0 || facts.st_size == 0 ||
      static_cast<size_t>(facts.st_size) % kMappingUnit != 0) {
    if (file >= 0) {
      close(file);
    }
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the file descriptor is no exported memory");
  }
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return publish_memory(handle, new PhysicalMemory(*device, prop, file, static_cast<size_t>(facts.st_size), false));
}

}  // namespace hel::cpu

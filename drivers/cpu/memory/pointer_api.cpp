// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: what a pointer is.
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/ipc.h"
#include "drivers/cpu/memory/pool.h"
#include "drivers/cpu/memory/registry.h"
#include "drivers/cpu/memory/virtual_memory.h"
#include "helicon/gen/cpu_impl.h"

#include <cstring>

namespace hel::cpu {
namespace {

template <typename T> void put(void *data, T value) { std::memcpy(data, &value, sizeof value); }

Result<void> attribute_of(const Allocation &a, CUpointer_attribute which, CUdeviceptr pointer, void *data) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      put<CUcontext>(data, a.pool ? nullptr : a.context);
      return {};
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      put<unsigned>(data, a.host() ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
      return {};
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      put<CUdeviceptr>(data, pointer);
      return {};
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!a.host() && a.kind != MemoryKind::Managed) {
        put<void *>(data, nullptr);
        return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "device memory has no host pointer");
      }
      put<CUdeviceptr>(data, pointer);
      return {};
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      put<unsigned>(data, a.sync_memops.load());
      return {};
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      put<unsigned long long>(data, a.buffer_id);
      return {};
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      put<unsigned>(data, a.kind == MemoryKind::Managed);
      return {};
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      put<int>(data, a.device->ordinal);
      return {};
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      put<CUdeviceptr>(data, a.base);
      return {};
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      put<size_t>(data, a.bytes);
      return {};
    case CU_POINTER_ATTRIBUTE_MAPPED:
      put<unsigned>(data, 1);
      return {};
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      put<unsigned long long>(data, a.kind == MemoryKind::Mapped ? VirtualMemory::instance().handle_types(pointer) : 0);
      return {};
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      put<unsigned>(data, is_shareable(a));
      return {};
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      put<unsigned>(data, 0);
      return {};
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      put<unsigned>(data, a.kind == MemoryKind::Mapped ? a.flags.load() : unsigned{CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
      return {};
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      put<CUmemoryPool>(data, a.pool ? static_cast<MemPool &>(*a.pool).handle() : nullptr);
      return {};
    default:
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "pointers have no attribute %d", static_cast<int>(which));
  }
}

size_t attribute_bytes(CUpointer_attribute which) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return 4;
    default:
      return 8;
  }
}

}  // namespace

Result<void> pointer_get_attribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(data, "data"));
  const Allocation *allocation = find_allocation(ptr);
  if (allocation == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx is unknown to the driver", static_cast<unsigned long long>(ptr));
  }
  return attribute_of(*allocation, attribute, ptr, data);
}

/// Unlike the singular function this one succeeds for unknown pointers, and leaves zeros.
Result<void> pointer_get_attributes(unsigned int numAttributes, CUpointer_attribute *attributes, void **data,
                                    CUdeviceptr ptr) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(attributes, "attributes"));
  HEL_TRY(check_out(data, "data"));
  const Allocation *allocation = find_allocation(ptr);
  for (unsigned i = 0; i < numAttributes; i++) {
    HEL_TRY(check_out(data[i], "data[i]"));
    if (attributes[i] < CU_POINTER_ATTRIBUTE_CONTEXT || attributes[i] > CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "pointers have no attribute %d", static_cast<int>(attributes[i]));
    }
    std::memset(data[i], 0, attribute_bytes(attributes[i]));
    if (allocation != nullptr) {
      (void)attribute_of(*allocation, attributes[i], ptr, data[i]);
    } else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
      put<int>(data[i], -2);
    }
  }
  return {};
}

Result<void> pointer_set_attribute(const void *value, CUpointer_attribute attribute, CUdeviceptr ptr) {
  HEL_TRY(check_initialized());
  HEL_TRY(check_out(value, "value"));
  Allocation *allocation = find_allocation(ptr);
  if (allocation == nullptr || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "attribute %d of 0x%llx cannot be set", static_cast<int>(attribute),
                    static_cast<unsigned long long>(ptr));
  }
  allocation->sync_memops = *static_cast<const unsigned *>(value) != 0;
  return {};
}

}  // namespace hel::cpu

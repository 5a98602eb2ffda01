// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: device and managed memory.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/device.h"
#include "drivers/cpu/core/stream.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "drivers/cpu/memory/pool.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

#include <unistd.h>

#include <algorithm>

namespace hel::cpu {

Result<void> mem_get_info(size_t *free, size_t *total) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_out(free, "free"));
  HEL_TRY(check_out(total, "total"));
  Device &device = context->device();
  *total = device.total_bytes;
  *free = device.total_bytes - device.used_bytes.load(std::memory_order_relaxed);
  return {};
}

Result<void> mem_alloc(CUdeviceptr *dptr, size_t bytesize) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("an allocation"));
  HEL_TRY(check_out(dptr, "dptr"));
  *dptr = HEL_TRY(allocate(*context, MemoryKind::Device, bytesize, 0))->base;
  return {};
}

Result<void> mem_alloc_pitch(CUdeviceptr *dptr, size_t *pPitch, size_t WidthInBytes, size_t Height,
                             unsigned int ElementSizeBytes) {
  constexpr size_t kPitchUnit = 512;
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("an allocation"));
  HEL_TRY(check_out(dptr, "dptr"));
  HEL_TRY(check_out(pPitch, "pPitch"));
  if (ElementSizeBytes != 4 && ElementSizeBytes != 8 && ElementSizeBytes != 16) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "elements of %u bytes; 4, 8 or 16 are possible", ElementSizeBytes);
  }
  if (WidthInBytes == 0 || Height == 0 || WidthInBytes > 0x7FFFFFFF) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu rows of %zu bytes are not possible", Height, WidthInBytes);
  }
  const size_t pitch = (WidthInBytes + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
  if (Height > context->device().total_bytes / pitch) {
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "%zu rows of %zu bytes are more than the device has",
                         Height, pitch);
  }
  *dptr = HEL_TRY(allocate(*context, MemoryKind::Device, pitch * Height, 0))->base;
  *pPitch = pitch;
  return {};
}

Result<void> mem_alloc_managed(CUdeviceptr *dptr, size_t bytesize, unsigned int flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("an allocation"));
  HEL_TRY(check_out(dptr, "dptr"));
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST && flags != CU_MEM_ATTACH_SINGLE) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "flags 0x%x are invalid", flags);
  }
  *dptr = HEL_TRY(allocate(*context, MemoryKind::Managed, bytesize, flags))->base;
  return {};
}

/// Waits for everything that might still use the memory, as the specification says of cuMemFree.
Result<void> mem_free(CUdeviceptr dptr) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("freeing memory"));
  if (dptr == 0) {
    return context->check();
  }
  Allocation *allocation = find_allocation_start(dptr);
  const bool freeable =
      allocation != nullptr && allocation->context_id != 0 &&
      (allocation->kind == MemoryKind::Device || allocation->kind == MemoryKind::Managed || allocation->pool);
  if (!freeable) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx is no device allocation: it is %s",
                    static_cast<unsigned long long>(dptr), describe_address(reinterpret_cast<void *>(dptr)).c_str());
  }
  context->synchronize();
  if (allocation->context_id != context->unique_id()) {
    HEL_TRY(find<Context>(allocation->context))->synchronize();
  }
  HEL_TRY(context->check());
  if (allocation->pool) {
    if (allocation->free_queued.exchange(true)) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx is freed already, or belongs to a graph that has not run",
                      static_cast<unsigned long long>(dptr));
    }
    give_back(*allocation);
    trim_pools(context->device());
    return {};
  }
  if (!release(*allocation)) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "0x%llx was freed at the same time",
                    static_cast<unsigned long long>(dptr));
  }
  return {};
}

Result<void> mem_get_address_range(CUdeviceptr *pbase, size_t *psize, CUdeviceptr dptr) {
  HEL_TRY(current_context());
  Allocation *allocation = find_allocation(dptr);
  if (allocation == nullptr) {
    return HEL_FAIL(CUDA_ERROR_NOT_FOUND, "0x%llx belongs to no allocation", static_cast<unsigned long long>(dptr));
  }
  if (pbase != nullptr) {
    *pbase = allocation->base;
  }
  if (psize != nullptr) {
    *psize = allocation->bytes;
  }
  return {};
}

}  // namespace hel::cpu

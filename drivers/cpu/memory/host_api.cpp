// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry points: page-locked host memory. Device and host see it at the same address.
#include "drivers/cpu/core/capture_rules.h"
#include "drivers/cpu/core/checks.h"
#include "drivers/cpu/core/context.h"
#include "drivers/cpu/memory/copy_plan.h"
#include "drivers/cpu/memory/registry.h"
#include "helicon/gen/cpu_impl.h"

namespace hel::cpu {
namespace {

constexpr unsigned kAllocFlags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned kRegisterFlags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                                    CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;

uintptr_t address(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

}  // namespace

Result<void> mem_host_alloc(void **pp, size_t bytesize, unsigned int Flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("an allocation"));
  HEL_TRY(check_out(pp, "pp"));
  HEL_TRY(check_flags(Flags, kAllocFlags));
  if (bytesize == 0) {
    *pp = nullptr;
    return {};
  }
  *pp = reinterpret_cast<void *>(HEL_TRY(allocate(*context, MemoryKind::Host, bytesize, Flags))->base);
  return {};
}

Result<void> mem_alloc_host(void **pp, size_t bytesize) { return mem_host_alloc(pp, bytesize, 0); }

Result<void> mem_free_host(void *p) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("freeing memory"));
  if (p == nullptr) {
    return {};
  }
  Allocation *allocation = find_allocation_start(address(p));
  if (allocation == nullptr || allocation->kind != MemoryKind::Host || allocation->pool) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%p is no page-locked allocation", p);
  }
  context->synchronize();
  release(*allocation);
  return {};
}

Result<void> mem_host_get_device_pointer(CUdeviceptr *pdptr, void *p, unsigned int Flags) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pdptr, "pdptr"));
  HEL_TRY(check_flags(Flags, 0));
  Allocation *allocation = find_allocation(address(p));
  if (allocation == nullptr || !allocation->host()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%p is no page-locked memory", p);
  }
  *pdptr = address(p);
  return {};
}

Result<void> mem_host_get_flags(unsigned int *pFlags, void *p) {
  HEL_TRY(current_context());
  HEL_TRY(check_out(pFlags, "pFlags"));
  Allocation *allocation = find_allocation(address(p));
  if (allocation == nullptr || !allocation->host()) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%p is no page-locked memory", p);
  }
  *pFlags = allocation->flags | CU_MEMHOSTALLOC_DEVICEMAP;
  return {};
}

Result<void> mem_host_register(void *p, size_t bytesize, unsigned int Flags) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("registering memory"));
  HEL_TRY(check_flags(Flags, kRegisterFlags));
  if (p == nullptr || bytesize == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at %p cannot be registered", bytesize, p);
  }
  if ((Flags & CU_MEMHOSTREGISTER_IOMEMORY) != 0) {
    return HEL_FAIL_KIND(CUDA_ERROR_NOT_SUPPORTED, Unsupported, "memory of other devices cannot be registered");
  }
  if (in_driver_range(address(p))) {
    return HEL_FAIL(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "%p is memory of the driver", p);
  }
  HEL_TRY(check_memory(address(p), bytesize, "p"));
  HEL_TRY(register_external(*context, MemoryKind::Registered, address(p), bytesize, Flags));
  return {};
}

Result<void> mem_host_unregister(void *p) {
  Context *context = HEL_TRY(current_context());
  HEL_TRY(check_unsafe_call("unregistering memory"));
  if (p == nullptr) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "p is null");
  }
  Allocation *allocation = find_allocation_start(address(p));
  if (allocation == nullptr) {
    if (Allocation *around = find_allocation(address(p)); around != nullptr && around->kind == MemoryKind::Registered) {
      return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%p is inside a registered range, not its start", p);
    }
  }
  if (allocation == nullptr || allocation->kind != MemoryKind::Registered) {
    return HEL_FAIL(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "%p was not registered", p);
  }
  context->synchronize();
  release(*allocation);
  return {};
}

}  // namespace hel::cpu

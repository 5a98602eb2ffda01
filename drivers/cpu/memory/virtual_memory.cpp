// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/virtual_memory.h"

#include "drivers/cpu/core/device.h"
#include "drivers/cpu/memory/address_space.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hel::cpu {
namespace {

void *handle_of(CUmemGenericAllocationHandle handle) {
  return reinterpret_cast<void *>(static_cast<uintptr_t>(handle));
}

/// Puts the range back to what reserved addresses are: nothing.
void clear(uintptr_t address, size_t bytes) {
  mmap(reinterpret_cast<void *>(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
       0);
}

bool same(const CUmemLocation &a, const CUmemLocation &b) { return a.type == b.type && a.id == b.id; }

/// Memory is one for all: it is as accessible as the most favoured location makes it.
unsigned widest(const std::vector<CUmemAccessDesc> &all) {
  unsigned flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  for (const CUmemAccessDesc &desc : all) {
    flags |= desc.flags;
  }
  return flags;
}

int protection(unsigned flags) {
  if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) {
    return PROT_NONE;
  }
  return flags == CU_MEM_ACCESS_FLAGS_PROT_READ ? PROT_READ : PROT_READ | PROT_WRITE;
}

}  // namespace

PhysicalMemory::~PhysicalMemory() {
  close(file_);
  if (counted_) {
    device_.unreserve(bytes_);
  }
}

VirtualMemory &VirtualMemory::instance() {
  static VirtualMemory *const memory = new VirtualMemory;  // never destroyed: threads may outlive main()
  return *memory;
}

Result<uintptr_t> VirtualMemory::reserve(size_t bytes, size_t alignment) {
  const uintptr_t address = address_space().reserve(bytes, alignment);
  if (address == 0) {
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "no %zu bytes of address space are left", bytes);
  }
  Lock lock(mutex_);
  reservations_.emplace(address, bytes);
  return address;
}

Result<void> VirtualMemory::free(uintptr_t address, size_t bytes) {
  Lock lock(mutex_);
  auto reservation = reservations_.find(address);
  if (reservation == reservations_.end() || reservation->second != bytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%zx are no reservation", bytes, address);
  }
  auto mapping = mappings_.lower_bound(address);
  if (mapping != mappings_.end() && mapping->first < address + bytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "memory is still mapped at 0x%zx", mapping->first);
  }
  reservations_.erase(reservation);
  address_space().unreserve(address, bytes);
  return {};
}

Result<Ref<PhysicalMemory>> VirtualMemory::memory(CUmemGenericAllocationHandle handle) {
  Ref<PhysicalMemory> memory = HEL_TRY(find<PhysicalMemory>(handle_of(handle)));
  Lock lock(mutex_);
  if (memory->users == 0) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "the memory handle 0x%llx was released", handle);
  }
  return memory;
}

void VirtualMemory::retire_if_unused(PhysicalMemory &memory) {
  if (memory.users == 0 && memory.mappings == 0) {
    (void)retire<PhysicalMemory>(memory.handle());
  }
}

Result<void> VirtualMemory::release(CUmemGenericAllocationHandle handle) {
  Ref<PhysicalMemory> found = HEL_TRY(memory(handle));
  Lock lock(mutex_);
  found->users--;
  retire_if_unused(*found);
  return {};
}

Result<VirtualMemory::Mapping *> VirtualMemory::mapping_at(uintptr_t address) {
  auto next = mappings_.upper_bound(address);
  if (next == mappings_.begin() || address - std::prev(next)->first >= std::prev(next)->second.bytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "nothing is mapped at 0x%zx", address);
  }
  return &std::prev(next)->second;
}

Result<CUmemGenericAllocationHandle> VirtualMemory::retain_at(uintptr_t address) {
  Lock lock(mutex_);
  PhysicalMemory &memory = *HEL_TRY(mapping_at(address))->memory;
  memory.users++;
  return static_cast<CUmemGenericAllocationHandle>(reinterpret_cast<uintptr_t>(memory.handle()));
}

bool VirtualMemory::inside_reservation(uintptr_t address, size_t bytes) {
  auto next = reservations_.upper_bound(address);
  if (next == reservations_.begin()) {
    return false;
  }
  auto [base, size] = *std::prev(next);
  return bytes <= size && address - base <= size - bytes;
}

Result<void> VirtualMemory::map(uintptr_t address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle) {
  Ref<PhysicalMemory> found = HEL_TRY(memory(handle));
  Lock lock(mutex_);
  if (offset > found->bytes() || bytes > found->bytes() - offset) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes from %zu on lie outside the memory of %zu bytes", bytes,
                    offset, found->bytes());
  }
  auto next = mappings_.lower_bound(address);
  const bool taken = (next != mappings_.end() && next->first < address + bytes) ||
                     (next != mappings_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > address);
  if (!inside_reservation(address, bytes) || taken) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%zx are not reserved, or mapped already", bytes, address);
  }
  void *mapped = mmap(reinterpret_cast<void *>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, found->file(),
                      static_cast<off_t>(offset));
  if (mapped == MAP_FAILED) {
    clear(address, bytes);
    return HEL_FAIL(CUDA_ERROR_MAP_FAILED, "the system cannot map: %s", std::strerror(errno));
  }
  found->mappings++;
  Allocation *record = register_mapping(found->device(), address, bytes);
  mappings_.emplace(address, Mapping{bytes, found, record, {}});
  return {};
}

Result<VirtualMemory::Mappings::iterator> VirtualMemory::exactly(uintptr_t address, size_t bytes) {
  auto first = mappings_.find(address);
  uintptr_t at = address;
  for (auto mapping = first; mapping != mappings_.end() && mapping->first == at && at < address + bytes; ++mapping) {
    at += mapping->second.bytes;
  }
  if (bytes == 0 || at != address + bytes) {
    return HEL_FAIL(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%zx are not made of whole mappings", bytes, address);
  }
  return first;
}

Result<void> VirtualMemory::unmap(uintptr_t address, size_t bytes) {
  Lock lock(mutex_);
  auto mapping = HEL_TRY(exactly(address, bytes));
  while (mapping != mappings_.end() && mapping->first < address + bytes) {
    cpu::release(*mapping->second.record);
    clear(mapping->first, mapping->second.bytes);
    mapping->second.memory->mappings--;
    retire_if_unused(*mapping->second.memory);
    mapping = mappings_.erase(mapping);
  }
  return {};
}

Result<void> VirtualMemory::set_access(uintptr_t address, size_t bytes, const std::vector<CUmemAccessDesc> &wanted) {
  Lock lock(mutex_);
  auto mapping = HEL_TRY(exactly(address, bytes));
  for (; mapping != mappings_.end() && mapping->first < address + bytes; ++mapping) {
    Mapping &piece = mapping->second;
    for (const CUmemAccessDesc &desc : wanted) {
      std::erase_if(piece.access, [&](const CUmemAccessDesc &old) { return same(old.location, desc.location); });
      piece.access.push_back(desc);
    }
    const unsigned flags = widest(piece.access);
    if (mprotect(reinterpret_cast<void *>(mapping->first), piece.bytes, protection(flags)) != 0) {
      return HEL_FAIL(CUDA_ERROR_OPERATING_SYSTEM, "the access cannot be changed: %s", std::strerror(errno));
    }
    piece.record->flags = flags;
  }
  return {};
}

Result<CUmemAccess_flags> VirtualMemory::access(uintptr_t address, const CUmemLocation &location) {
  Lock lock(mutex_);
  for (const CUmemAccessDesc &desc : HEL_TRY(mapping_at(address))->access) {
    if (same(desc.location, location)) {
      return desc.flags;
    }
  }
  return CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

unsigned VirtualMemory::handle_types(uintptr_t address) {
  Lock lock(mutex_);
  Result<Mapping *> mapping = mapping_at(address);
  return mapping ? mapping.value()->memory->prop().requestedHandleTypes : 0;
}

}  // namespace hel::cpu

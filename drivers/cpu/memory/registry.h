// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every piece of memory that the driver knows: what it gave out, what programs registered, and the variables of
// modules. Look-ups take no lock for memory of our own range.
#pragma once

#include "base/result.h"
#include "drivers/cpu/core/handle.h"

#include <cuda.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hel::cpu {

class AddressSpace;
class Context;
struct Device;

enum class MemoryKind : uint8_t {
  Device,
  Managed,
  Host,        ///< page-locked, ours
  Registered,  ///< page-locked, the program's
  Variable,    ///< of a module
  Mapped,      ///< by cuMemMap into reserved addresses
};

/// Fixed from the moment it can be found until it is freed. Records are never deleted; a freed one is used again late.
struct Allocation {
  uintptr_t base = 0;
  size_t bytes = 0;     ///< as asked for
  size_t reserved = 0;  ///< of the device's memory
  MemoryKind kind = MemoryKind::Device;
  Device *device = nullptr;
  uint64_t context_id = 0;
  CUcontext context = nullptr;
  std::atomic<unsigned> flags{
      0};  ///< of cuMemHostAlloc, cuMemHostRegister, cuMemAllocManaged; Mapped: CUmemAccess_flags
  uint64_t buffer_id = 0;
  Ref<Object> pool;  ///< the MemPool that it returns to
  std::atomic<bool> live{false};
  std::atomic<bool> free_queued{false};  ///< cuMemFreeAsync was called
  std::atomic<bool> sync_memops{false};
  bool of_file = false;  ///< pages of somebody's file, mapped at an address of ours

  bool holds(uintptr_t address, size_t size) const {
    return address >= base && size <= bytes && address - base <= bytes - size;
  }
  bool host() const { return kind == MemoryKind::Host || kind == MemoryKind::Registered; }
};

/// Memory of `kind` Device, Managed or Host, aligned to 512 bytes. OUT_OF_MEMORY changes nothing.
Result<Allocation *> allocate(Context &context, MemoryKind kind, size_t bytes, unsigned flags);
/// Makes known memory that is not ours. Fails if a part of it is known already.
Result<Allocation *> register_external(Context &context, MemoryKind kind, uintptr_t base, size_t bytes, unsigned flags);
/// Makes a piece of reserved address space known, into which memory of `device` was mapped. `flags` is its access.
Allocation *register_mapping(Device &device, uintptr_t base, size_t bytes);
/// Memory of `kind` Device that is `bytes` bytes from `offset` on of an open file.
Result<Allocation *> map_file(Context &context, int file, size_t offset, size_t bytes);
/// The pages of an allocation of ours: its own, or those of the slab that it shares with others.
struct PageRange {
  uintptr_t base;
  size_t bytes;
};
PageRange pages_of(const Allocation &allocation);
/// The driver's address range.
AddressSpace &address_space();
/// Ends an allocation. False if somebody else was faster.
bool release(Allocation &allocation);
/// Frees everything that belongs to a context that closes.
void release_memory_of(Context &context);

/// The live allocation that holds `address`, or null.
Allocation *find_allocation(uintptr_t address);
/// The live allocation that starts at `address`, or null.
Allocation *find_allocation_start(uintptr_t address);
/// In the driver's own range, live or not.
bool in_driver_range(uintptr_t address);
/// What lies at or near an address, for reports; empty if nothing is known.
std::string describe_address(const void *address);

}  // namespace hel::cpu

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory management: physical memory (a file in memory), reserved addresses, and mappings of the one at the
// other. Mapping is rare: one lock guards all of it.
#pragma once

#include "base/mutex.h"
#include "base/result.h"
#include "drivers/cpu/core/handle.h"
#include "drivers/cpu/memory/registry.h"

#include <cuda.h>

#include <map>
#include <vector>

namespace hel::cpu {

/// Sizes, addresses and offsets of these functions are multiples of this.
inline constexpr size_t kMappingUnit = 2u << 20;

class PhysicalMemory : public HandleObject<PhysicalMemory, Tag::PhysicalMemory> {
public:
  /// Takes over the open file.
  PhysicalMemory(Device &device, const CUmemAllocationProp &prop, int file, size_t bytes, bool counted)
      : device_(device), prop_(prop), file_(file), bytes_(bytes), counted_(counted) {}
  ~PhysicalMemory() override;

  Device &device() const { return device_; }
  const CUmemAllocationProp &prop() const { return prop_; }
  int file() const { return file_; }
  size_t bytes() const { return bytes_; }

  unsigned users = 1;     ///< creations and retains that were not released; guarded by VirtualMemory
  unsigned mappings = 0;  ///< guarded by VirtualMemory

private:
  Device &device_;
  const CUmemAllocationProp prop_;
  const int file_;
  const size_t bytes_;
  const bool counted_;  ///< takes part of the device's memory
};

class VirtualMemory {
public:
  static VirtualMemory &instance();

  Result<uintptr_t> reserve(size_t bytes, size_t alignment);
  Result<void> free(uintptr_t address, size_t bytes);
  /// The live memory of a handle.
  Result<Ref<PhysicalMemory>> memory(CUmemGenericAllocationHandle handle);
  Result<void> release(CUmemGenericAllocationHandle handle);
  Result<CUmemGenericAllocationHandle> retain_at(uintptr_t address);
  Result<void> map(uintptr_t address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle);
  Result<void> unmap(uintptr_t address, size_t bytes);
  Result<void> set_access(uintptr_t address, size_t bytes, const std::vector<CUmemAccessDesc> &wanted);
  Result<CUmemAccess_flags> access(uintptr_t address, const CUmemLocation &location);
  /// As which kinds of handles the memory at `address` can be exported.
  unsigned handle_types(uintptr_t address);

private:
  struct Mapping {
    size_t bytes;
    Ref<PhysicalMemory> memory;
    Allocation *record;
    std::vector<CUmemAccessDesc> access;
  };
  using Mappings = std::map<uintptr_t, Mapping>;

  bool inside_reservation(uintptr_t address, size_t bytes) HEL_REQUIRES(mutex_);
  /// The mapping that `address` lies in.
  Result<Mapping *> mapping_at(uintptr_t address) HEL_REQUIRES(mutex_);
  /// The first of the mappings that fill the range exactly.
  Result<Mappings::iterator> exactly(uintptr_t address, size_t bytes) HEL_REQUIRES(mutex_);
  void retire_if_unused(PhysicalMemory &memory) HEL_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<uintptr_t, size_t> reservations_ HEL_GUARDED_BY(mutex_);
  Mappings mappings_ HEL_GUARDED_BY(mutex_);
};

}  // namespace hel::cpu

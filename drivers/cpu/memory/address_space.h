// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address range from which all memory of the driver comes: reserved once, mapped piece by piece. Whether a pointer
// is ours is one comparison, and memory that was freed cannot be touched any more.
#pragma once

#include "base/mutex.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace hel::cpu {

inline constexpr size_t kGranuleBytes = 64u << 10;
inline constexpr size_t kHugePageBytes = 2u << 20;

class AddressSpace {
public:
  AddressSpace();
  bool contains(uintptr_t address) const { return address - base_ < bytes_; }
  size_t granule_of(uintptr_t address) const { return (address - base_) / kGranuleBytes; }
  size_t granules() const { return bytes_ / kGranuleBytes; }

  /// Maps `bytes`, followed by at least one page that is not mapped. Large pieces get huge pages. 0: no room.
  uintptr_t map(size_t bytes);
  /// Takes back what map() gave.
  void unmap(uintptr_t address, size_t bytes);

  /// Sets address space aside without mapping anything. 0: no room.
  uintptr_t reserve(size_t bytes, size_t alignment);
  /// Takes back what reserve() gave; nothing is mapped there any more.
  void unreserve(uintptr_t address, size_t bytes);

private:
  static size_t run_bytes(size_t bytes);
  void give_back(uintptr_t address, size_t bytes) HEL_REQUIRES(mutex_);

  uintptr_t base_ = 0;
  size_t bytes_ = 0;
  Mutex mutex_;
  std::map<uintptr_t, size_t> free_by_address_ HEL_GUARDED_BY(mutex_);
  std::set<std::pair<size_t, uintptr_t>> free_by_size_ HEL_GUARDED_BY(mutex_);
};

}  // namespace hel::cpu

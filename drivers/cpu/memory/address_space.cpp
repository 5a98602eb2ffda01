// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/address_space.h"

#include <sys/mman.h>

namespace hel::cpu {
namespace {

constexpr size_t kGuardBytes = 4096;

size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

AddressSpace::AddressSpace() {
  for (bytes_ = size_t{1} << 40; bytes_ >= kHugePageBytes; bytes_ /= 2) {
    void *range = mmap(nullptr, bytes_ + kHugePageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (range != MAP_FAILED) {
      base_ = round_up(reinterpret_cast<uintptr_t>(range), kHugePageBytes);
      break;
    }
  }
  if (base_ == 0) {
    bytes_ = 0;
    return;
  }
  Lock lock(mutex_);
  give_back(base_, bytes_);
}

/// All of a run is mapped but its last page, the guard. Programs that read a little past the end of an array, as many do
/// and as a GPU lets them, read zeros; untouched pages cost nothing.
size_t AddressSpace::run_bytes(size_t bytes) {
  return round_up(bytes + kGuardBytes, bytes >= kHugePageBytes ? kHugePageBytes : kGranuleBytes);
}

uintptr_t AddressSpace::reserve(size_t bytes, size_t alignment) {
  Lock lock(mutex_);
  auto run = free_by_size_.lower_bound({bytes, 0});
  while (run != free_by_size_.end() && round_up(run->second, alignment) + bytes > run->second + run->first) {
    ++run;
  }
  if (run == free_by_size_.end()) {
    return 0;
  }
  auto [size, start] = *run;
  free_by_size_.erase(run);
  free_by_address_.erase(start);
  const uintptr_t address = round_up(start, alignment);
  if (address > start) {
    give_back(start, address - start);
  }
  if (start + size > address + bytes) {
    give_back(address + bytes, start + size - address - bytes);
  }
  return address;
}

void AddressSpace::unreserve(uintptr_t address, size_t bytes) {
  Lock lock(mutex_);
  give_back(address, bytes);
}

uintptr_t AddressSpace::map(size_t bytes) {
  if (bytes > bytes_ / 2) {
    return 0;
  }
  const bool huge = bytes >= kHugePageBytes;
  const uintptr_t address = reserve(run_bytes(bytes), huge ? kHugePageBytes : kGranuleBytes);
  if (address == 0) {
    return 0;
  }
  void *mapped = mmap(reinterpret_cast<void *>(address), run_bytes(bytes) - kGuardBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (mapped == MAP_FAILED) {
    unreserve(address, run_bytes(bytes));
    return 0;
  }
  if (huge) {
    madvise(mapped, bytes, MADV_HUGEPAGE);
  }
  return address;
}

void AddressSpace::unmap(uintptr_t address, size_t bytes) {
  mmap(reinterpret_cast<void *>(address), run_bytes(bytes), PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  unreserve(address, run_bytes(bytes));
}

void AddressSpace::give_back(uintptr_t address, size_t bytes) {
  auto after = free_by_address_.lower_bound(address);
  if (after != free_by_address_.end() && after->first == address + bytes) {
    bytes += after->second;
    free_by_size_.erase({after->second, after->first});
    after = free_by_address_.erase(after);
  }
  if (after != free_by_address_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == address) {
      address = before->first;
      bytes += before->second;
      free_by_size_.erase({before->second, before->first});
      free_by_address_.erase(before);
    }
  }
  free_by_address_.emplace(address, bytes);
  free_by_size_.emplace(bytes, address);
}

}  // namespace hel::cpu

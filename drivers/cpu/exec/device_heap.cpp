// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/device_heap.h"

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

#include "base/mutex.h"

namespace hel::cpu::exec {
namespace {

constexpr size_t kUnit = 16;
constexpr size_t kSlack = 4;  // address space per byte of the limit, so that fragments do not use up the heap

}  // namespace

// Best fit; neighbours are joined on release. Offsets are from `base`.
struct DeviceHeap::State {
  mutable Mutex mutex;
  size_t limit HEL_GUARDED_BY(mutex) = 0;
  size_t used HEL_GUARDED_BY(mutex) = 0;
  uint8_t *base HEL_GUARDED_BY(mutex) = nullptr;
  size_t reserved HEL_GUARDED_BY(mutex) = 0;
  std::map<size_t, size_t> gaps HEL_GUARDED_BY(mutex);                     ///< offset → bytes
  std::set<std::pair<size_t, size_t>> gaps_by_size HEL_GUARDED_BY(mutex);  ///< (bytes, offset)
  std::unordered_map<size_t, size_t> blocks HEL_GUARDED_BY(mutex);         ///< offset → bytes

  bool reserve() HEL_REQUIRES(mutex) {
    reserved = limit * kSlack;
    void *p = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
      reserved = 0;
      return false;
    }
    base = static_cast<uint8_t *>(p);
    add_gap(0, reserved);
    return true;
  }

  void add_gap(size_t offset, size_t bytes) HEL_REQUIRES(mutex) {
    gaps.emplace(offset, bytes);
    gaps_by_size.emplace(bytes, offset);
  }

  void remove_gap(std::map<size_t, size_t>::iterator gap) HEL_REQUIRES(mutex) {
    gaps_by_size.erase({gap->second, gap->first});
    gaps.erase(gap);
  }
};

DeviceHeap::DeviceHeap(size_t limit) : state_(std::make_unique<State>()) {
  Lock lock(state_->mutex);
  state_->limit = limit;
}

DeviceHeap::~DeviceHeap() {
  Lock lock(state_->mutex);
  if (state_->base != nullptr) {
    munmap(state_->base, state_->reserved);
  }
}

void *DeviceHeap::allocate(size_t bytes, size_t alignment) {
  State &s = *state_;
  Lock lock(s.mutex);
  if (bytes == 0 || !std::has_single_bit(alignment) || alignment > s.limit || bytes > s.limit ||
      (s.base == nullptr && !s.reserve())) {
    return nullptr;
  }
  const size_t need = (bytes + kUnit - 1) / kUnit * kUnit;
  const size_t slack = alignment > kUnit ? alignment - kUnit : 0;  // most that alignment can cost
  const auto fit = s.gaps_by_size.lower_bound({need + slack, 0});
  if (s.used + need > s.limit || fit == s.gaps_by_size.end()) {
    return nullptr;
  }
  const auto [gap_bytes, gap] = *fit;
  const size_t before = -(reinterpret_cast<uintptr_t>(s.base) + gap) & slack;
  const size_t after = gap_bytes - before - need;
  const size_t offset = gap + before;
  s.remove_gap(s.gaps.find(gap));
  if (before != 0) {
    s.add_gap(gap, before);
  }
  if (after != 0) {
    s.add_gap(offset + need, after);
  }
  s.blocks.emplace(offset, need);
  s.used += need;
  return s.base + offset;
}

bool DeviceHeap::release(void *pointer) {
  if (pointer == nullptr) {
    return true;
  }
  State &s = *state_;
  Lock lock(s.mutex);
  const size_t at = reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(s.base);
  const auto block = s.base != nullptr ? s.blocks.find(at) : s.blocks.end();
  if (block == s.blocks.end()) {
    return false;
  }
  size_t offset = block->first;
  size_t bytes = block->second;
  s.blocks.erase(block);
  s.used -= bytes;
  auto after = s.gaps.lower_bound(offset);
  if (after != s.gaps.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      offset = before->first;
      bytes += before->second;
      s.remove_gap(before);
    }
  }
  if (after != s.gaps.end() && offset + bytes == after->first) {
    bytes += after->second;
    s.remove_gap(after);
  }
  s.add_gap(offset, bytes);
  return true;
}

size_t DeviceHeap::limit() const {
  Lock lock(state_->mutex);
  return state_->limit;
}

bool DeviceHeap::set_limit(size_t limit) {
  Lock lock(state_->mutex);
  if (state_->base != nullptr) {
    return false;
  }
  state_->limit = limit;
  return true;
}

bool DeviceHeap::contains(const void *pointer) const {
  Lock lock(state_->mutex);
  auto *p = static_cast<const uint8_t *>(pointer);
  return state_->base != nullptr && p >= state_->base && p < state_->base + state_->reserved;
}

}  // namespace hel::cpu::exec

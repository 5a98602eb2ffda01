// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/exec/block_shares.h"

#include <algorithm>

namespace hel::cpu::exec {
namespace {

constexpr uint64_t kPartsOfShare = 8;

constexpr uint64_t pack(uint64_t first, uint64_t end) { return first << 32 | end; }
constexpr uint64_t first_of(uint64_t range) { return range >> 32; }
constexpr uint64_t end_of(uint64_t range) { return range & UINT32_MAX; }
constexpr uint64_t units_of(uint64_t range) { return end_of(range) - first_of(range); }

}  // namespace

BlockShares::BlockShares(uint64_t blocks, uint32_t workers)
    : blocks_(blocks), unit_(blocks / UINT32_MAX + 1), workers_(workers), shares_(std::min<uint64_t>(blocks, workers)) {
  const uint64_t units = (blocks + unit_ - 1) / unit_, count = shares_.size();
  for (uint64_t i = 0; i < count; i++) {
    shares_[i].range.store(pack(units * i / count, units * (i + 1) / count), std::memory_order_relaxed);
  }
}

/// Only the last unit may have fewer blocks than others.
uint64_t BlockShares::blocks_in(uint64_t range) const {
  return std::min(blocks_, end_of(range) * unit_) - std::min(blocks_, first_of(range) * unit_);
}

bool BlockShares::take_from(Share &share, bool front, uint64_t least, uint64_t most, uint64_t *begin, uint64_t *end) {
  uint64_t range = share.range.load(std::memory_order_relaxed);
  while (units_of(range) != 0) {
    const uint64_t left = units_of(range);
    const uint64_t wanted = std::clamp(left * unit_ / kPartsOfShare, least, std::max(least, most)) / unit_;
    const uint64_t units = std::clamp<uint64_t>(wanted, 1, left);
    const uint64_t middle = front ? first_of(range) + units : end_of(range) - units;
    const uint64_t rest = front ? pack(middle, end_of(range)) : pack(first_of(range), middle);
    if (share.range.compare_exchange_weak(range, rest, std::memory_order_relaxed)) {
      *begin = (front ? first_of(range) : middle) * unit_;
      *end = std::min(blocks_, (front ? middle : end_of(range)) * unit_);
      return true;
    }
  }
  return false;
}

bool BlockShares::take(uint32_t worker, uint64_t least, uint64_t most, uint64_t *begin, uint64_t *end) {
  const size_t count = shares_.size(), own = worker % workers_ * count / workers_;
  if (take_from(shares_[own], true, least, most, begin, end)) {
    return true;
  }
  for (size_t i = 1; i < count; i++) {
    if (take_from(shares_[(own + i) % count], false, least, most, begin, end)) {
      return true;
    }
  }
  return false;
}

uint64_t BlockShares::take_all() {
  uint64_t blocks = 0;
  for (Share &share : shares_) {
    uint64_t range = share.range.load(std::memory_order_relaxed);
    while (!share.range.compare_exchange_weak(range, pack(end_of(range), end_of(range)), std::memory_order_relaxed)) {
    }
    blocks += blocks_in(range);
  }
  return blocks;
}

bool BlockShares::empty() const {
  return std::ranges::all_of(
      shares_, [](const Share &share) { return units_of(share.range.load(std::memory_order_relaxed)) == 0; });
}

}  // namespace hel::cpu::exec

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/texture/state_pool.h"

#include <sys/mman.h>

#include <cstddef>

namespace hel::cpu {
namespace {

void *reserve(size_t bytes) {
  void *range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return range == MAP_FAILED ? nullptr : range;
}

}  // namespace

TextureStates::TextureStates() : slots_(static_cast<Slot *>(reserve(kSlots * sizeof(Slot)))) {}

TextureStates &TextureStates::instance() {
  static auto *const states = new TextureStates;  // never destroyed: kernels may run to the end
  return *states;
}

abi::TextureState *TextureStates::take(void *owner) {
  Lock lock(mutex_);
  Slot *slot = nullptr;
  if (slots_ != nullptr && used_ < kSlots) {
    slot = &slots_[used_++];
  } else if (!free_.empty()) {
    slot = free_.front();
    free_.pop_front();
  } else {
    return nullptr;
  }
  *slot = Slot{{}, owner};
  return &slot->state;
}

void TextureStates::give_back(abi::TextureState *state) {
  static_assert(offsetof(Slot, state) == 0);
  Lock lock(mutex_);
  auto *slot = reinterpret_cast<Slot *>(state);
  slot->owner = nullptr;
  free_.push_back(slot);
}

void *TextureStates::owner_of(uint64_t object) {
  Lock lock(mutex_);
  const uint64_t distance = object - reinterpret_cast<uint64_t>(slots_);
  if (distance % sizeof(Slot) != 0 || distance / sizeof(Slot) >= used_) {
    return nullptr;
  }
  return slots_[distance / sizeof(Slot)].owner;
}

}  // namespace hel::cpu

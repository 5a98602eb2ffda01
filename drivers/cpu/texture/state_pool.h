// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the states of texture and surface objects live (abi/texture.h): one reserved address range, so that a number that
// a program passes is recognised without touching memory that might be gone.
#pragma once

#include "abi/texture.h"
#include "base/mutex.h"

#include <deque>
#include <cstdint>

namespace hel::cpu {

/// Thread-safe. A state that was given back keeps its contents until all others have been used: a kernel that was queued
/// before its texture was destroyed still finds it.
class TextureStates {
public:
  static TextureStates &instance();
  /// A zeroed state, or null when there are too many.
  abi::TextureState *take(void *owner);
  void give_back(abi::TextureState *state);
  /// The owner of the live state at this address, or null.
  void *owner_of(uint64_t object);

private:
  TextureStates();
  struct Slot {
    abi::TextureState state;
    void *owner;
  };
  static constexpr size_t kSlots = size_t{1} << 20;
  Slot *const slots_;
  Mutex mutex_;
  size_t used_ HEL_GUARDED_BY(mutex_) = 0;
  std::deque<Slot *> free_ HEL_GUARDED_BY(mutex_);
};

}  // namespace hel::cpu

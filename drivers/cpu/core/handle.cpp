// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/core/handle.h"

#include "base/mutex.h"

#include <sys/mman.h>

#include <deque>

namespace hel::cpu {

namespace {

constexpr uint64_t kAlive = Slot::kAlive;
constexpr uint64_t kIdentityMask = 0xFFFFFull << 32;  // tag and generation
constexpr uint32_t kGenerations = 1u << 12;
constexpr uint32_t kSlotsInChunk = 1024;
constexpr uint32_t kChunks = 1024;
constexpr uint64_t kArenaBytes = 1ull << 36;

uint64_t identity(Tag tag, uint32_t generation) {
  return (static_cast<uint64_t>(tag) << 44) | (static_cast<uint64_t>(generation) << 32);
}

uint32_t generation_of(uint64_t word) { return static_cast<uint32_t>(word >> 32) & (kGenerations - 1); }

}  // namespace

struct HandleArena::Impl {
  uintptr_t base = 0;
  std::atomic<Slot *> chunks[kChunks] = {};
  Mutex mutex;
  uint32_t used HEL_GUARDED_BY(mutex) = 0;
  /// First in, first out: a freed slot is used again as late as possible, so that stale handles stay recognisable.
  std::deque<Slot *> free HEL_GUARDED_BY(mutex);

  Slot *take_free();
  Slot *slot_of(const void *handle, uint32_t &generation) const;
  /// Gives the word of a living handle the value `changed(word)`; null for any other handle.
  template <typename Changed> Object *change(const void *handle, Tag tag, Changed changed) const;
};

HandleArena::HandleArena() : impl_(new Impl) {
  void *range = mmap(nullptr, kArenaBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // Where address space is limited, numbers that no user-space pointer can have do as well.
  impl_->base = range == MAP_FAILED ? 0xFFFF000000000000ull : reinterpret_cast<uintptr_t>(range);
}

HandleArena &HandleArena::instance() {
  static HandleArena *const arena = new HandleArena;  // never destroyed: threads may outlive main()
  return *arena;
}

bool HandleArena::holds(const void *handle) const { return reinterpret_cast<uintptr_t>(handle) - impl_->base < kArenaBytes; }

Slot *HandleArena::Impl::take_free() {
  Lock lock(mutex);
  constexpr size_t kKeepBack = 256;
  bool full = used == kSlotsInChunk * kChunks;
  if (!free.empty() && (free.size() > kKeepBack || full)) {
    Slot *slot = free.front();
    free.pop_front();
    return slot;
  }
  if (full) {
    return nullptr;
  }
  uint32_t chunk = used / kSlotsInChunk;
  Slot *slots = chunks[chunk].load(std::memory_order_relaxed);
  if (slots == nullptr) {
    slots = new Slot[kSlotsInChunk];
    chunks[chunk].store(slots, std::memory_order_release);
  }
  Slot *slot = &slots[used % kSlotsInChunk];
  slot->index = used++;
  return slot;
}

Slot *HandleArena::Impl::slot_of(const void *handle, uint32_t &generation) const {
  uint64_t offset = reinterpret_cast<uintptr_t>(handle) - base;
  if (offset >= kArenaBytes || (offset & 15) != 0) {
    return nullptr;
  }
  generation = static_cast<uint32_t>(offset >> 24);
  uint32_t index = static_cast<uint32_t>(offset >> 4) & (kSlotsInChunk * kChunks - 1);
  Slot *slots = chunks[index / kSlotsInChunk].load(std::memory_order_acquire);
  return slots == nullptr ? nullptr : &slots[index % kSlotsInChunk];
}

template <typename Changed>
Object *HandleArena::Impl::change(const void *handle, Tag tag, Changed changed) const {
  uint32_t generation = 0;
  Slot *slot = slot_of(handle, generation);
  if (slot == nullptr) {
    return nullptr;
  }
  const uint64_t wanted = kAlive | identity(tag, generation);
  uint64_t word = slot->word.load(std::memory_order_acquire);
  do {
    if ((word & (kAlive | kIdentityMask)) != wanted) {
      return nullptr;
    }
  } while (!slot->word.compare_exchange_weak(word, changed(word), std::memory_order_acq_rel));
  return slot->object;
}

bool HandleArena::insert(Object *object, Tag tag) {
  static std::atomic<uint64_t> next_id{1};
  Slot *slot = impl_->take_free();
  if (slot == nullptr) {
    return false;
  }
  uint32_t generation = (generation_of(slot->word.load(std::memory_order_relaxed)) + 1) % kGenerations;
  generation = generation == 0 ? 1 : generation;
  slot->object = object;
  object->slot_ = slot;
  object->handle_ =
      reinterpret_cast<void *>(impl_->base + ((uint64_t{generation} << 24) | (uint64_t{slot->index} << 4)));
  object->unique_id_ = next_id.fetch_add(1, std::memory_order_relaxed);
  slot->word.store(kAlive | identity(tag, generation) | 1, std::memory_order_release);
  return true;
}

Object *HandleArena::acquire(const void *handle, Tag tag) {
  return impl_->change(handle, tag, [](uint64_t word) { return word + 1; });
}

Object *HandleArena::retire(const void *handle, Tag tag) {
  return impl_->change(handle, tag, [](uint64_t word) { return word & ~kAlive; });
}

bool HandleArena::was(const void *handle, Tag tag) const {
  uint32_t generation = 0;
  Slot *slot = impl_->slot_of(handle, generation);
  return slot != nullptr && generation != 0 &&
         (slot->word.load(std::memory_order_relaxed) & kIdentityMask) >> 44 == static_cast<uint64_t>(tag);
}

void HandleArena::delete_object(const Object *object) {
  Slot *slot = object->slot_;
  delete object;
  slot->object = nullptr;
  Impl &impl = *instance().impl_;
  Lock lock(impl.mutex);
  impl.free.push_back(slot);
}

}  // namespace hel::cpu

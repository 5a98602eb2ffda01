// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles: what the driver gives out for contexts, streams, events, modules …
//
//   handle = arena + (generation << 24 | slot index << 4)
//
// The arena is an address range that is reserved and never mapped, so a handle is no valid pointer of anybody else. A
// slot keeps, in one atomic word, whether its object lives, its tag, its generation and the number of references.
// Looking a handle up compares numbers and counts one reference; it touches no memory that might be gone.
#pragma once

#include "base/result.h"

#include <cuda.h>

#include <atomic>
#include <cstdint>

namespace hel::cpu {

/// The type of the object behind a handle. Rows of handle_tags.def: tag, C type, error for a wrong handle, name in
/// messages.
enum class Tag : uint8_t {
  None,
#define HEL_HANDLE_TAG(tag, type, error, name) tag,
#include "drivers/cpu/core/handle_tags.def"
#undef HEL_HANDLE_TAG
};

class Object;

/// word = alive (bit 63) | tag (bits 44-51) | generation (bits 32-43) | references (bits 0-31).
/// Everybody changes it by compare-exchange or by counting; `object` is written before the word says alive.
struct Slot {
  static constexpr uint64_t kAlive = 1ull << 63;
  std::atomic<uint64_t> word{0};
  Object *object = nullptr;
  uint32_t index = 0;
};

/// Base of everything that a handle can name. Objects are counted; the last reference deletes.
class Object {
public:
  Object() = default;
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  virtual ~Object() = default;
  void *raw_handle() const { return handle_; }
  /// The owner has ended the handle: gives up what belongs to others, though references may live on.
  virtual void owner_gone() {}
  /// False once its handle was destroyed.
  bool alive() const { return (slot_->word.load(std::memory_order_acquire) & Slot::kAlive) != 0; }
  /// Unique in the process, never used again.
  uint64_t unique_id() const { return unique_id_; }

private:
  friend class HandleArena;
  Slot *slot_ = nullptr;
  void *handle_ = nullptr;
  uint64_t unique_id_ = 0;
};

/// The table of slots. Thread-safe; look-ups take no lock.
class HandleArena {
public:
  static HandleArena &instance();
  /// Takes ownership of `object`. The caller gets the one reference that the handle holds. False when all slots are
  /// used.
  bool insert(Object *object, Tag tag);
  /// The object, with a reference for the caller, or null.
  Object *acquire(const void *handle, Tag tag);
  /// Ends the handle: the caller gets the handle's reference. Null when the handle names nothing (any more).
  Object *retire(const void *handle, Tag tag);
  /// A handle that names nothing any more, but once named an object of this kind (as far as its slot remembers).
  bool was(const void *handle, Tag tag) const;
  /// In the range that handles are made of.
  bool holds(const void *handle) const;
  static void retain(const Object *object) { object->slot_->word.fetch_add(1, std::memory_order_relaxed); }
  static void release(const Object *object) {
    const uint64_t before = object->slot_->word.fetch_sub(1, std::memory_order_acq_rel);
    if ((before & 0xFFFFFFFFu) == 1) [[unlikely]] {
      delete_object(object);
    }
  }

private:
  static void delete_object(const Object *object);
  HandleArena();
  struct Impl;
  Impl *impl_;
};

/// A counted reference to an Object.
template <typename T> class HEL_IN_REGISTERS Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T &object) : object_(&object) { HandleArena::retain(object_); }
  Ref(const Ref &other) : object_(other.object_) { retain(); }
  Ref(Ref &&other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_ != nullptr) {
      HandleArena::release(object_);
    }
  }
  /// Takes over a reference that somebody else counted.
  static Ref adopt(T *object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  T *operator->() const { return object_; }
  T &operator*() const { return *object_; }
  T *get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

private:
  void retain() {
    if (object_ != nullptr) {
      HandleArena::retain(object_);
    }
  }
  T *object_ = nullptr;
};

template <Tag> struct TagInfo;
#define HEL_HANDLE_TAG(tag, type, error, name) \
  template <> struct TagInfo<Tag::tag> {       \
    using Handle = type;                       \
    static constexpr CUresult kError = error;  \
    static constexpr const char *kName = name; \
  };
#include "drivers/cpu/core/handle_tags.def"
#undef HEL_HANDLE_TAG

/// An Object with a tag: `class Stream : public HandleObject<Stream, Tag::Stream>`.
template <typename T, Tag tag> class HandleObject : public Object {
public:
  static constexpr Tag kTag = tag;
  using Handle = typename TagInfo<tag>::Handle;
  Handle handle() const { return static_cast<Handle>(raw_handle()); }
};

template <typename T> [[gnu::cold]] std::unique_ptr<Failure> wrong_handle(typename T::Handle handle) {
  const bool destroyed = T::kTag == Tag::Context && HandleArena::instance().was(handle, T::kTag);
  return HEL_FAIL(destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : TagInfo<T::kTag>::kError, "%p is no %s (any more)",
                  static_cast<void *>(handle), TagInfo<T::kTag>::kName);
}

/// The object that `handle` names, or the documented error for null, stale and foreign handles.
template <typename T> Result<Ref<T>> find(typename T::Handle handle) {
  Object *object = HandleArena::instance().acquire(handle, T::kTag);
  if (object == nullptr) [[unlikely]] {
    return wrong_handle<T>(handle);
  }
  return Ref<T>::adopt(static_cast<T *>(object));
}

/// Ends a handle; the object lives on for those who hold references.
template <typename T> Result<Ref<T>> retire(typename T::Handle handle) {
  Object *object = HandleArena::instance().retire(handle, T::kTag);
  if (object == nullptr) {
    return wrong_handle<T>(handle);
  }
  return Ref<T>::adopt(static_cast<T *>(object));
}

/// Gives `object` a handle; on failure it is deleted.
template <typename T> Result<Ref<T>> publish(T *object) {
  if (!HandleArena::instance().insert(object, T::kTag)) {
    delete object;
    return HEL_FAIL_KIND(CUDA_ERROR_OUT_OF_MEMORY, OutOfMemory, "too many %ss exist", TagInfo<T::kTag>::kName);
  }
  return Ref<T>(*object);
}

}  // namespace hel::cpu

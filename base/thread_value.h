// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a thread that outlive its ordinary thread_local objects. Programs call the API from destructors of their
// globals, when the thread_local objects of the main thread are gone already.
#pragma once

/// A thread_local of libhelicon.so, which has static thread-local storage anyway (abi/thread.h): it is read without a call.
/// There is little of that storage for libraries that are loaded later: code that is in libhelicon-jit.so too has none.
#define HEL_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) thread_local

namespace hel {

// Where a thread keeps the pointer to its value. It has no destructor, so it can be read at any time.
template <typename T, typename Tag> struct StaticSlot {
  static T *&value() {
    HEL_THREAD_LOCAL constinit T *value = nullptr;
    return value;
  }
};
template <typename T, typename Tag> struct DynamicSlot {
  static T *&value() {
    thread_local constinit T *value = nullptr;
    return value;
  }
};

/// The calling thread's T for `Tag`: made at first use, deleted when the thread ends, and made anew if it is used
/// after that (the process is exiting then, and nothing deletes it).
template <typename T, typename Tag, template <typename, typename> class Slot = StaticSlot> T &thread_value() {
  struct Owner {
    ~Owner() {
      delete Slot<T, Tag>::value();
      Slot<T, Tag>::value() = nullptr;
    }
    void arm() {}
  };
  T *&value = Slot<T, Tag>::value();
  if (value == nullptr) [[unlikely]] {
    value = new T();
    thread_local Owner owner;
    owner.arm();
  }
  return *value;
}

}  // namespace hel

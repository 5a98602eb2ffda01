// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a thread that outlive its ordinary thread_local objects. Programs call the API from destructors of their
// globals, when the thread_local objects of the main thread are gone already.
#pragma once

/// A thread_local of a library that is loaded with the program: it is read without a call. libhelicon.so has static
/// thread-local storage anyway (abi/thread.h).
#define HEL_THREAD_LOCAL __attribute__((tls_model("initial-exec"))) thread_local

namespace hel {

/// The calling thread's T for `Tag`: made at first use, deleted when the thread ends, and made anew if it is used
/// after that (the process is exiting then, and nothing deletes it).
template <typename T, typename Tag> T &thread_value() {
  HEL_THREAD_LOCAL constinit T *value = nullptr;  // has no destructor, so it can be read at any time
  struct Owner {
    ~Owner() {
      delete value;
      value = nullptr;
    }
    void arm() {}
  };
  if (value == nullptr) [[unlikely]] {
    value = new T();
    thread_local Owner owner;
    owner.arm();
  }
  return *value;
}

}  // namespace hel

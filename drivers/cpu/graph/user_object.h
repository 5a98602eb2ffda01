// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User objects: memory of the program whose destructor is called when neither the program nor a graph refers to it.
#pragma once

#include "drivers/cpu/core/handle.h"

#include <cuda.h>

#include <atomic>

namespace hel::cpu {

class UserObject : public HandleObject<UserObject, Tag::UserObject> {
public:
  UserObject(void *object, CUhostFn destroy, unsigned references)
      : object_(object), destroy_(destroy), references_(references), owned_(references) {}
  /// The program's references, and all.
  void retain(unsigned count) { references_.fetch_add(count), owned_.fetch_add(count); }
  /// False if the program has fewer.
  bool release(unsigned count);
  // A graph's references.
  void graph_retain(unsigned count) { references_.fetch_add(count); }
  /// The program gives `count` of its own to a graph. False if it has fewer.
  bool move_to_graph(unsigned count);
  void graph_release(unsigned count) { drop(count); }

private:
  void drop(unsigned count);

  void *const object_;
  const CUhostFn destroy_;
  std::atomic<uint64_t> references_;
  std::atomic<uint64_t> owned_;  ///< by the program
};

struct RefLess {
  template <typename T> bool operator()(const Ref<T> &a, const Ref<T> &b) const { return a.get() < b.get(); }
};

}  // namespace hel::cpu

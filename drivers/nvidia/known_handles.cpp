// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/nvidia/known_handles.h"

#include "base/mutex.h"

#include <unordered_map>

namespace hel::nvidia {
namespace {

struct Known {
  Mutex mutex;
  std::unordered_map<const void *, const void *> owners HEL_GUARDED_BY(mutex);
};

Known &known() {
  static Known *const made = new Known;  // never destroyed: used until the process ends
  return *made;
}

}  // namespace

void note_handle(const void *handle, const void *owner) {
  Lock lock(known().mutex);
  known().owners[handle] = owner;
}

bool is_known_handle(const void *handle) {
  Lock lock(known().mutex);
  return known().owners.count(handle) != 0;
}

void forget_handles_of(const void *owner) {
  Lock lock(known().mutex);
  auto &owners = known().owners;
  for (auto at = owners.begin(); at != owners.end();) {
    at = at->second == owner ? owners.erase(at) : std::next(at);
  }
}

}  // namespace hel::nvidia

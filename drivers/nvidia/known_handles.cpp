// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/nvidia/known_handles.h"

#include "base/mutex.h"

#include <unordered_map>

namespace hel::nvidia {
namespace {

struct Known {
  Mutex mutex;
  std::unordered_map<CUkernel, const void *> kernels HEL_GUARDED_BY(mutex);
  std::unordered_map<CUfunction, const void *> functions HEL_GUARDED_BY(mutex);
};

Known &known() {
  static Known *const made = new Known;  // never destroyed: used until the process ends
  return *made;
}

template <typename Owners> void erase_owner(Owners &owners, const void *owner) {
  for (auto at = owners.begin(); at != owners.end();) {
    at = at->second == owner ? owners.erase(at) : std::next(at);
  }
}

}  // namespace

void note_handle(CUkernel kernel, const void *owner) {
  Lock lock(known().mutex);
  known().kernels[kernel] = owner;
}

void note_handle(CUfunction function, const void *owner) {
  Lock lock(known().mutex);
  known().functions[function] = owner;
}

bool is_known_handle(CUkernel kernel) {
  Lock lock(known().mutex);
  return known().kernels.count(kernel) != 0;
}

bool is_known_handle(CUfunction function) {
  Lock lock(known().mutex);
  return known().functions.count(function) != 0;
}

std::vector<CUkernel> known_kernels() {
  Lock lock(known().mutex);
  std::vector<CUkernel> kernels;
  for (const auto &[kernel, owner] : known().kernels) {
    kernels.push_back(kernel);
  }
  return kernels;
}

void forget_handles_of(const void *owner) {
  Lock lock(known().mutex);
  erase_owner(known().kernels, owner);
  erase_owner(known().functions, owner);
}

}  // namespace hel::nvidia

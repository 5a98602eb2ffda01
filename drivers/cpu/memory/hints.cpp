// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "drivers/cpu/memory/hints.h"

#include "base/mutex.h"

#include <iterator>
#include <map>

namespace hel::cpu {
namespace {

constexpr uintptr_t kPage = 4096;

/// Each key starts a stretch with these hints, up to the next key. The first key is 0.
struct HintMap {
  Mutex mutex;
  std::map<uintptr_t, Hints> stretches HEL_GUARDED_BY(mutex) = {{0, Hints{}}};

  /// Makes a stretch start at `address`.
  std::map<uintptr_t, Hints>::iterator split(uintptr_t address) HEL_REQUIRES(mutex) {
    auto at = std::prev(stretches.upper_bound(address));
    return at->first == address ? at : stretches.emplace(address, at->second).first;
  }
};

HintMap &hint_map() {
  static HintMap *const map = new HintMap;  // never destroyed: workers may outlive main()
  return *map;
}

uintptr_t page_begin(uintptr_t address) { return address / kPage * kPage; }

uintptr_t page_end(uintptr_t address) { return (address + kPage - 1) / kPage * kPage; }

}  // namespace

void change_hints(uintptr_t address, size_t bytes, const std::function<void(Hints &)> &change) {
  HintMap &map = hint_map();
  Lock lock(map.mutex);
  auto end = map.split(page_end(address + bytes));
  for (auto at = map.split(page_begin(address)); at != end; ++at) {
    change(at->second);
  }
}

std::vector<Hints> hints_of(uintptr_t address, size_t bytes) {
  HintMap &map = hint_map();
  Lock lock(map.mutex);
  std::vector<Hints> found;
  auto at = std::prev(map.stretches.upper_bound(page_begin(address)));
  for (; at != map.stretches.end() && at->first < page_end(address + bytes); ++at) {
    found.push_back(at->second);
  }
  return found;
}

void forget_hints(uintptr_t address, size_t bytes) {
  HintMap &map = hint_map();
  Lock lock(map.mutex);
  if (map.stretches.size() == 1) {
    return;
  }
  auto end = map.split(page_end(address + bytes));
  auto begin = map.split(page_begin(address));
  begin->second = Hints{};
  map.stretches.erase(std::next(begin), end);
}

}  // namespace hel::cpu

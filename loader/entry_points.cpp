// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/entry_points.h"

#include <algorithm>
#include <cstring>

namespace hel::entry {

const EntryPoint *find_driver_entry_point(const char *name, int version, bool *known) {
  *known = false;
  if (std::strncmp(name, "cu", 2) != 0 && std::strncmp(name, "mu", 2) != 0) {
    return nullptr;
  }
  const EntryPoint *end = driver_entry_points + driver_entry_point_count;
  const EntryPoint *at = std::lower_bound(driver_entry_points, end, name + 2, [](const EntryPoint &e, const char *wanted) {
    return std::strcmp(e.name, wanted) < 0;
  });
  const EntryPoint *found = nullptr;
  for (; at != end && std::strcmp(at->name, name + 2) == 0; ++at) {
    *known = true;
    if (at->since <= version) {
      found = at;
    }
  }
  return found;
}

}  // namespace hel::entry

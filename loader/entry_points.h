// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API's functions by name and version. The table is generated from api/driver.
#pragma once

#include <cstddef>

namespace hel::entry {

struct EntryPoint {
  const char *name;  ///< without "cu" or "mu" and without version
  int since;         ///< the first version of the interface that has it
  void *address;
  void *per_thread;  ///< its twin for the per-thread default stream, or null
};

/// Sorted by name, then by version.
extern const EntryPoint driver_entry_points[];
extern const size_t driver_entry_point_count;

/// The newest function of that name ("cuMemAlloc" or "muMemAlloc") that `version` has. *known is false if there is no
/// version of it at all.
const EntryPoint *find_driver_entry_point(const char *name, int version, bool *known);

}  // namespace hel::entry

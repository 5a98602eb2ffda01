// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loader knows of a driver.
#pragma once

#include "helicon/gen/driver_table.h"

#include <string>
#include <vector>

namespace hel::loader {

struct Driver {
  const char *name;
  const DriverTable &(*table)();
  /// Renumbers the driver's devices: device i is from now on the one that was devices[i]; the others are hidden. Called
  /// once, after Init and before any other call. Null: the driver cannot hide devices.
  void (*show_devices)(const int *devices, int count);
};

/// The drivers of drivers.def.
const std::vector<Driver> &known_drivers();

/// The drivers that `choice` (HELICON_DRIVERS) names, in its order; empty means the first known driver. An unknown name
/// is reported in *error and nothing is chosen.
std::vector<Driver> choose_drivers(const std::string &choice, std::string *error);

}  // namespace hel::loader

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the loader knows of a driver.
#pragma once

#include "base/result.h"
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
  /// Finds what the driver needs on this machine; a failure says why it cannot be used. Null: nothing is needed. Called
  /// once, before any other call.
  Result<void> (*open)();
  /// True for the handles and the device memory of this driver, live or not. Null: whatever no other driver owns.
  bool (*owns)(const void *address);
  /// The driver's devices are numbered from `first`. Called once, before Init. Null: they are numbered from 0.
  void (*number_devices_from)(int first);
  /// Lets a managed variable of a library, which no device has used yet, be memory of another driver that the host can
  /// reach. Null: that cannot be.
  Result<void> (*share_managed)(CUlibrary library, const char *name, CUdeviceptr storage);
};

/// The drivers of drivers.def.
const std::vector<Driver> &known_drivers();

/// The drivers that `choice` (HELICON_DRIVERS) names, in its order; empty means nvidia and cpu, or the first known
/// driver where this build has neither. An unknown name is reported in *error and nothing is chosen.
std::vector<Driver> choose_drivers(const std::string &choice, std::string *error);

/// Those of them that can be used here; *why says why the others cannot.
std::vector<Driver> open_drivers(const std::vector<Driver> &chosen, std::string *why);

}  // namespace hel::loader

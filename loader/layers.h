// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layers stand between the API and a driver: a layer is a copy of the table below it with some members replaced.
#pragma once

#include "helicon/gen/driver_table.h"

namespace hel::loader {

/// The driver's table with cuGetProcAddress answered by the loader, children watched that are forked after cuInit, and
/// with every layer that the environment asks for.
/// Calls that no layer changes go to the driver directly.
const DriverTable &with_layers(const DriverTable &driver);

}  // namespace hel::loader

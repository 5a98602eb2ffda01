// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in the place of a driver when none could be loaded.
#pragma once

#include "helicon/gen/driver_table.h"

namespace hel::loader {

/// Every member answers CUDA_ERROR_NO_DEVICE.
const DriverTable &no_driver_table();

}  // namespace hel::loader

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver over NVIDIA's: its functions are the table's, but for those that are given code (modules.h).
#pragma once

#include "base/result.h"
#include "helicon/gen/driver_table.h"

namespace hel::nvidia {

/// Opens the driver library and starts it. Fails, and says why, where there is no usable GPU. The rest is called only after
/// success.
Result<void> open();

/// What programs call.
const DriverTable &driver_table();

/// The library's own functions, for the default stream of the legacy kind.
const DriverTable &vendor_table();

}  // namespace hel::nvidia

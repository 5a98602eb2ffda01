// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one way to a driver: everything above calls through the table that the loader hands out.
#pragma once

#include "helicon/gen/driver_table.h"

namespace hel::loader {

/// The table of the loaded driver. The first call finds the driver (HELICON_DRIVERS), hides devices as
/// CUDA_VISIBLE_DEVICES or MUSA_VISIBLE_DEVICES say, and inserts layers. When no driver can be loaded, every member of
/// the table answers CUDA_ERROR_NO_DEVICE or another documented code; the reason is on stderr. In a child of a process
/// that had started the driver, what needs cuInit answers CUDA_ERROR_NOT_INITIALIZED.
const DriverTable &table();

}  // namespace hel::loader

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver API answers before cuInit.
#pragma once

#include "helicon/gen/driver_table.h"

namespace hel::loader {

/// Every member answers CUDA_ERROR_NOT_INITIALIZED, but those that work at any time: they are `driver`'s.
DriverTable not_initialised_table(const DriverTable &driver);

}  // namespace hel::loader

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What our containers need before the vendor's driver can load them, and what it must be asked carefully.
#pragma once

#include "helicon/gen/driver_table.h"

namespace hel::nvidia {

/// Replaces the functions that take code, that find managed variables, and that look at a handle which may be anything.
void put_module_functions(DriverTable &table);

}  // namespace hel::nvidia

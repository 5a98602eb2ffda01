// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compare layer (HELICON_COMPARE): each launch on the GPU is run on the CPU too, from the same memory, and what the two
// leave behind is compared.
//
// Device memory is managed memory here, so that its addresses hold on both; a launch is
//   before = contents; run on GPU; gpu = contents; contents = before; run on CPU; cpu = contents; contents = gpu
// Variables that the host names are copied to the CPU's side first and compared afterwards; others follow by themselves,
// because both sides run the same launches.
#pragma once

#include "helicon/gen/driver_table.h"

#include <string>

namespace hel::loader {

/// Puts the layer on a table over two sides. *error says why it cannot be.
bool put_compare_layer(DriverTable &table, std::string *error);

}  // namespace hel::loader

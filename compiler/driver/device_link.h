// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Relocatable device code is linked when the program is loaded. What would fail then is found here, when mcc links the objects:
// undefined or doubly defined device symbols, and code that cannot be compiled.
#pragma once

#include "base/result.h"

#include <string>
#include <vector>

namespace hel::cc {

/// Links and compiles the relocatable device code of objects and static libraries, and throws the result away. Members of a
/// library count as far as the objects refer to their device symbols.
Result<void> check_device_link(const std::vector<std::string> &objects);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PTX code may refer to and not define: the system functions of the driver, and with -rdc=true other modules'
// functions. A host function that device code calls (attribute "hl.host") traps and is named.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> check_callable(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

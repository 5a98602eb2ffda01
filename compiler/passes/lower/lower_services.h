// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Renames the system functions that device code calls (vprintf, malloc, free, __assertfail, trap) to the engine's.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> lower_services(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

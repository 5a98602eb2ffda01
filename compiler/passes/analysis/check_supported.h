// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last look before code generation: what is left of the SIMT target, or undefined, is an error that names it.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> check_supported(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

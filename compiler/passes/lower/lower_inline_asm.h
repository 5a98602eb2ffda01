// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the few pieces of inline PTX that need no PTX reader into IR; any other one is an error that shows its text.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> lower_inline_asm(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

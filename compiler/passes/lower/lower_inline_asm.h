// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX becomes SIMT IR (compiler/ptx); what is not understood is an error that shows its text.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> lower_inline_asm(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

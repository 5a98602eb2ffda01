// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the module an x86-64 one: triple, data layout, processor and stack protection on each function; nothing of the
// SIMT target remains. Sources of line information become line tables.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> retarget(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's own pipeline at the level asked for (-G: none), as a whole or in its two halves, between which stages of ours
// can stand: what makes code simple, with everything inlined, and what makes it fast.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> optimise(llvm::Module &module, Compilation &compilation);
Result<void> optimise_early(llvm::Module &module, Compilation &compilation);
Result<void> optimise_late(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

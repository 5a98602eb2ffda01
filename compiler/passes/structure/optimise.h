// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's own pipeline at the level asked for (-G: none).
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> optimise(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

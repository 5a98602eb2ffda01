// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics and fences for one machine: scopes go, atomics of NVVM become IR instructions.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> lower_atomics(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers the operations of ir/simt_ops.def: reads of the thread's state, calls of the engine, fences.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> lower_simt_ops(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

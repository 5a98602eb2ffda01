// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what the engine wants to know of each kernel: waits, barriers, indirect calls, recursion.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> describe_kernels(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites variadic device functions to functions of a packed argument buffer (LLVM's ExpandVariadics for nvptx), the
// layout that vprintf expects too.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> expand_variadics(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

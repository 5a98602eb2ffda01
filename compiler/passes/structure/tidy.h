// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SSA form and simple clean-up with LLVM's function passes, without moving anything across convergent calls; inlines
// what must be inlined. With -G only the latter.
#pragma once

#include "compiler/ir/compilation.h"

namespace hel::cc {

Result<void> tidy(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

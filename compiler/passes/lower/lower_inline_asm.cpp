// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_inline_asm.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

Result<void> lower_inline_asm(llvm::Module &module, Compilation &compilation) { return {}; }

}  // namespace hel::cc

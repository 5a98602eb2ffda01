// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/guard_division.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

Result<void> guard_division(llvm::Module &module, Compilation &compilation) { return {}; }

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/lower_math.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

Result<void> lower_math(llvm::Module &module, Compilation &compilation) { return {}; }

}  // namespace hel::cc

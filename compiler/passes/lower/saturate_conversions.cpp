// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/saturate_conversions.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

Result<void> saturate_conversions(llvm::Module &module, Compilation &compilation) { return {}; }

}  // namespace hel::cc

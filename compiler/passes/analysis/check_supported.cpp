// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/analysis/check_supported.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

Result<void> check_supported(llvm::Module &module, Compilation &compilation) { return {}; }

}  // namespace hel::cc

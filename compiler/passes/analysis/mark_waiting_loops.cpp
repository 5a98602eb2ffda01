// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/analysis/mark_waiting_loops.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

Result<void> mark_waiting_loops(llvm::Module &module, Compilation &compilation) { return {}; }

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/analysis/describe_kernels.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

Result<void> describe_kernels(llvm::Module &module, Compilation &compilation) { return {}; }

}  // namespace hel::cc

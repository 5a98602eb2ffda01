// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/join_conditions.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace hel::cc {

constexpr int kMostBeside = 6;  // instructions that are computed though the first part may be false

Result<void> join_conditions(llvm::Module &module, Compilation &compilation) {
  if (!compilation.options.debug) {
    run_llvm_passes(module, &compilation.target, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
      llvm::SimplifyCFGPass pass(llvm::SimplifyCFGOptions().bonusInstThreshold(kMostBeside));
      manager.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(pass)));
    });
  }
  return {};
}

}  // namespace hel::cc

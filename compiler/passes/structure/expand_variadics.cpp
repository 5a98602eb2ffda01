// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/expand_variadics.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

#include "llvm/Transforms/IPO/ExpandVariadics.h"

namespace hel::cc {

Result<void> expand_variadics(llvm::Module &module, Compilation &) {
  bool any = llvm::any_of(module, [](llvm::Function &function) { return function.isVarArg(); });
  if (any) {
    run_llvm_passes(module, nullptr, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
      manager.addPass(llvm::ExpandVariadicsPass(llvm::ExpandVariadicsMode::Lowering));
    });
  }
  return {};
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/make_loops_reducible.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

namespace hel::cc {
namespace {

bool has_irreducible_loop(const llvm::CycleInfo &cycles) {
  llvm::SmallVector<const llvm::Cycle *, 8> open(cycles.toplevel_cycles());
  while (!open.empty()) {
    const llvm::Cycle *cycle = open.pop_back_val();
    if (!cycle->isReducible()) {
      return true;
    }
    open.append(cycle->child_begin(), cycle->child_end());
  }
  return false;
}

/// LLVM's pass knows branches only: switches are made into them where it has something to do.
struct MakeLoopsReducible : llvm::PassInfoMixin<MakeLoopsReducible> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    if (!has_irreducible_loop(analyses.getResult<llvm::CycleAnalysis>(function))) {
      return llvm::PreservedAnalyses::all();
    }
    llvm::FunctionPassManager passes;
    passes.addPass(llvm::LowerSwitchPass());
    passes.addPass(llvm::FixIrreduciblePass());
    return passes.run(function, analyses);
  }
};

}  // namespace

Result<void> make_loops_reducible(llvm::Module &module, Compilation &compilation) {
  run_llvm_passes(module, &compilation.target, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
    manager.addPass(llvm::createModuleToFunctionPassAdaptor(MakeLoopsReducible()));
  });
  return {};
}

}  // namespace hel::cc

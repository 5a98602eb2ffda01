// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/optimise.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"
#include "compiler/passes/structure/keep_loops_whole.h"

namespace hel::cc {
namespace {

/// `fill(builder, manager, level)` fills the manager; `always`: what code that is not optimised needs too.
template <typename Fill> void run_pipeline(llvm::Module &module, Compilation &compilation, bool always, Fill fill) {
  static const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                                   llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  int level = compilation.options.debug ? 0 : std::min(std::max(compilation.options.optimise, 0), 3);
  run_llvm_passes(module, &compilation.target, [&](llvm::PassBuilder &builder, llvm::ModulePassManager &manager) {
    if (level != 0) {
      builder.registerLateLoopOptimizationsEPCallback(
          [](llvm::LoopPassManager &loops, llvm::OptimizationLevel) { loops.addPass(KeepLoopsWhole()); });
      builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager &functions, llvm::OptimizationLevel) {
        functions.addPass(llvm::createFunctionToLoopPassAdaptor(KeepLoopsWhole()));
      });
      fill(builder, manager, levels[level]);
    } else if (always) {
      manager = builder.buildO0DefaultPipeline(levels[0]);
    }
  });
}

}  // namespace

Result<void> optimise(llvm::Module &module, Compilation &compilation) {
  run_pipeline(module, compilation, true,
               [](llvm::PassBuilder &builder, llvm::ModulePassManager &manager, llvm::OptimizationLevel level) {
                 manager = builder.buildPerModuleDefaultPipeline(level);
               });
  return {};
}

Result<void> optimise_early(llvm::Module &module, Compilation &compilation) {
  run_pipeline(module, compilation, true,
               [](llvm::PassBuilder &builder, llvm::ModulePassManager &manager, llvm::OptimizationLevel level) {
                 manager = builder.buildModuleSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None);
               });
  return {};
}

Result<void> optimise_late(llvm::Module &module, Compilation &compilation) {
  run_pipeline(module, compilation, false,
               [](llvm::PassBuilder &builder, llvm::ModulePassManager &manager, llvm::OptimizationLevel level) {
                 manager = builder.buildModuleOptimizationPipeline(level, llvm::ThinOrFullLTOPhase::None);
               });
  return {};
}

}  // namespace hel::cc

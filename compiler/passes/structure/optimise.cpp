// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/optimise.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

namespace hel::cc {

Result<void> optimise(llvm::Module &module, Compilation &compilation) {
  static const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                                   llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  int level = compilation.options.debug ? 0 : std::min(std::max(compilation.options.optimise, 0), 3);
  run_llvm_passes(module, &compilation.target, [&](llvm::PassBuilder &builder, llvm::ModulePassManager &manager) {
    manager = level == 0 ? builder.buildO0DefaultPipeline(levels[0])
                         : builder.buildPerModuleDefaultPipeline(levels[level]);
  });
  return {};
}

}  // namespace hel::cc

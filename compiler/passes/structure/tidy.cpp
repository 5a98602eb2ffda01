// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/tidy.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"
#include "compiler/passes/structure/leave_scopes_directly.h"
#include "compiler/passes/structure/thread_known_cases.h"

#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace hel::cc {

Result<void> tidy(llvm::Module &module, Compilation &compilation) {
  run_llvm_passes(module, nullptr, [&](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
    manager.addPass(llvm::AlwaysInlinerPass());
    if (!compilation.options.debug) {
      llvm::FunctionPassManager functions;
      functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      functions.addPass(llvm::EarlyCSEPass());
      functions.addPass(LeaveScopesDirectly());
      functions.addPass(llvm::SimplifyCFGPass());
      functions.addPass(ThreadKnownCases());
      functions.addPass(llvm::SimplifyCFGPass());
      functions.addPass(llvm::DCEPass());  // what is left of aggregates would count as uses of products
      manager.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
    }
    manager.addPass(llvm::GlobalDCEPass());
  });
  return {};
}

}  // namespace hel::cc

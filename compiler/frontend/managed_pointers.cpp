// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/managed_pointers.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

#include <set>

namespace hel::cc {
namespace {

constexpr llvm::StringLiteral kSuffix = ".managed";

/// Removes what registers a pointer for a second time.
void register_once(llvm::Module &module, llvm::GlobalVariable *pointer) {
  llvm::Function *registration = module.getFunction("__cudaRegisterManagedVar");
  if (!registration) {
    return;
  }
  bool is_registered = false;
  for (llvm::User *user : llvm::make_early_inc_range(registration->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call && llvm::is_contained(call->args(), pointer)) {
      if (is_registered) {
        call->eraseFromParent();
      }
      is_registered = true;
    }
  }
}

struct JoinPass : llvm::PassInfoMixin<JoinPass> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    join_managed_pointers(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

}  // namespace

void join_managed_pointers(llvm::Module &module) {
  llvm::SmallVector<llvm::GlobalVariable *> seconds;
  for (llvm::GlobalVariable &variable : module.globals()) {
    bool is_between = variable.getName().ends_with(kSuffix) && variable.getValueType()->isPointerTy() &&
                      module.getGlobalVariable((variable.getName() + kSuffix).str(), /*AllowInternal=*/true);
    if (is_between) {
      seconds.push_back(&variable);
    }
  }
  for (llvm::GlobalVariable *second : seconds) {
    llvm::GlobalVariable *value = module.getGlobalVariable((second->getName() + kSuffix).str(), /*AllowInternal=*/true);
    llvm::GlobalVariable *pointer =
        module.getGlobalVariable(second->getName().drop_back(kSuffix.size()), /*AllowInternal=*/true);
    second->replaceAllUsesWith(pointer);
    value->takeName(second);
    second->eraseFromParent();
    register_once(module, pointer);
  }
}

void join_managed_pointers(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(JoinPass()); });
}

}  // namespace hel::cc

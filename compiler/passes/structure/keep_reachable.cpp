// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/keep_reachable.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"
#include "compiler/ir/symbol_names.h"
#include "compiler/ir/variable_facts.h"

#include "llvm/Transforms/IPO/GlobalDCE.h"

namespace hel::cc {
namespace {

void keep_function(llvm::Function &function) {
  function.setComdat(nullptr);
  if (function.hasAvailableExternallyLinkage()) {
    function.deleteBody();
  } else if (is_kernel(function)) {
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  } else {
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.setDSOLocal(true);
  }
}

/// Variables that the host can name stay; what is discardable (inline variables) goes unless a kernel refers to it.
void keep_variable(llvm::GlobalVariable &variable) {
  variable.setComdat(nullptr);
  if (variable.isDeclaration() || variable.hasLocalLinkage() || variable.isDiscardableIfUnused()) {
    return;
  }
  variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
}

}  // namespace

void release_used_lists(llvm::Module &module) {
  llvm::SmallVector<llvm::GlobalValue *, 8> used;
  llvm::collectUsedGlobalVariables(module, used, /*CompilerUsed=*/false);
  llvm::collectUsedGlobalVariables(module, used, /*CompilerUsed=*/true);
  for (llvm::GlobalValue *value : used) {
    unsigned space = value->getAddressSpace();
    if (!value->isDeclaration() && !value->hasLocalLinkage() && (space == kGlobal || space == kConst)) {
      value->setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  }
  for (const char *list : {"llvm.used", "llvm.compiler.used"}) {
    if (llvm::GlobalVariable *variable = module.getGlobalVariable(list)) {
      variable->eraseFromParent();
    }
  }
}

Result<void> keep_reachable(llvm::Module &module, Compilation &) {
  release_used_lists(module);
  for (llvm::Function &function : module) {
    if (!function.isDeclaration()) {
      keep_function(function);
    }
  }
  for (llvm::GlobalVariable &variable : module.globals()) {
    keep_variable(variable);
  }
  // Before any name is looked up in the process: nothing of ours answers to it.
  for (llvm::GlobalObject &definition : module.global_objects()) {
    if (!definition.isDeclaration() && !definition.getName().contains(".managed")) {
      avoid_process_names(definition);
    }
  }
  run_llvm_passes(module, nullptr, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
    manager.addPass(llvm::GlobalDCEPass());
  });
  // From here on no variable of the device may look private: threads that LLVM does not see share it.
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration() || variable.hasPrivateLinkage() || variable.getAddressSpace() == kShared) {
      continue;
    }
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setVisibility(llvm::GlobalValue::HiddenVisibility);
    variable.setDSOLocal(true);
    bool from_compiler = variable.getName().starts_with("_ZTV") || variable.getName().starts_with("_ZTI");
    if (variable.getAddressSpace() != kGeneric && !from_compiler) {
      mark_device_variable(variable);
    }
  }
  return {};
}

}  // namespace hel::cc

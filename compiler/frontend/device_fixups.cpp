// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/frontend/device_fixups.h"

#include "compiler/frontend/hooks.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace hel::cc {
namespace {

/// clang externalises static variables of relocatable code under `X__static__<id>` or `X__intern__<id>` when the host uses
/// them, but uses before the host's refer to the undefined `X`.
void join_static_variables(llvm::Module &module) {
  for (llvm::GlobalVariable &definition : llvm::make_early_inc_range(module.globals())) {
    if (definition.isDeclaration()) {
      continue;
    }
    for (const char *mark : {"__static__", "__intern__"}) {
      size_t at = definition.getName().rfind(mark);
      if (at == llvm::StringRef::npos) {
        continue;
      }
      llvm::GlobalVariable *use = module.getGlobalVariable(definition.getName().take_front(at), /*AllowInternal=*/true);
      if (use && use->isDeclaration()) {
        use->replaceAllUsesWith(&definition);
        use->eraseFromParent();
      }
    }
  }
}

void mark_host_functions(llvm::Module &module, const HookState &state) {
  for (const std::string &name : state.host_calls) {
    llvm::Function *function = module.getFunction(name);
    if (function && function->isDeclaration()) {
      function->addFnAttr("hl.host");
    }
  }
}

}  // namespace

void fix_device_module(llvm::Module &module, const HookState &state) {
  join_static_variables(module);
  mark_host_functions(module, state);
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/copy_written_parameters.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

#include "llvm/Transforms/Scalar/SROA.h"

namespace hel::cc {
namespace {

void copy(llvm::Argument &argument) {
  llvm::BasicBlock &entry = argument.getParent()->getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  llvm::Type *type = argument.getParamByValType();
  llvm::Align align = argument.getParamAlign().valueOrOne();
  llvm::AllocaInst *own = builder.CreateAlloca(type);
  own->setAlignment(align);
  argument.replaceAllUsesWith(own);
  builder.CreateMemCpy(own, align, &argument, align, own->getDataLayout().getTypeAllocSize(type));
  argument.addAttr(llvm::Attribute::ReadOnly);
}

/// The back end does not select instructions for the address of a function's own struct behind a branch.
bool is_used_behind_branch(const llvm::Argument &argument) {
  const llvm::BasicBlock &entry = argument.getParent()->getEntryBlock();
  llvm::SmallVector<const llvm::Value *, 8> open = {&argument};
  while (!open.empty()) {
    for (const llvm::User *user : open.pop_back_val()->users()) {
      const auto *inst = llvm::dyn_cast<llvm::Instruction>(user);
      if (!inst || inst->getParent() != &entry) {
        return true;
      }
      if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(inst)) {
        open.push_back(inst);
      }
    }
  }
  return false;
}

bool needs_copy(const llvm::Argument &argument, bool is_of_kernel) {
  return argument.hasByValAttr() &&
         (is_of_kernel ? !argument.onlyReadsMemory() && !argument.hasAttribute("nvvm.grid_constant")
                       : is_used_behind_branch(argument));
}

}  // namespace

Result<void> copy_written_parameters(llvm::Module &module, Compilation &compilation) {
  if (compilation.options.debug) {
    return {};
  }
  bool changed = false;
  for (llvm::Function &function : module) {
    for (llvm::Argument &argument : function.args()) {
      if (!function.isDeclaration() && needs_copy(argument, is_kernel(function))) {
        argument.removeAttr(llvm::Attribute::WriteOnly);
        argument.removeAttr(llvm::Attribute::Initializes);
        copy(argument);
        changed = true;
      }
    }
  }
  if (changed) {
    run_llvm_passes(module, &compilation.target, [](llvm::PassBuilder &, llvm::ModulePassManager &manager) {
      manager.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
    });
  }
  return {};
}

}  // namespace hel::cc

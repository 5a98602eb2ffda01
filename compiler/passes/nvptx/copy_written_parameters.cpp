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

}  // namespace

Result<void> copy_written_parameters(llvm::Module &module, Compilation &compilation) {
  if (compilation.options.debug) {
    return {};
  }
  bool changed = false;
  for (llvm::Function *kernel : defined_kernels(module)) {
    for (llvm::Argument &argument : kernel->args()) {
      if (argument.hasByValAttr() && !argument.onlyReadsMemory() && !argument.hasAttribute("nvvm.grid_constant")) {
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

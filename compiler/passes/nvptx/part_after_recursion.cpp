// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/part_after_recursion.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace hel::cc {
namespace {

/// What code that is not seen here may call: functions whose address is taken, and those that other units see.
bool is_open(const llvm::Function &function) {
  return !function.isDeclaration() && !is_kernel(function) &&
         (function.hasAddressTaken() || !function.hasLocalLinkage());
}

/// Adds the functions that `function` calls itself.
void add_callees(llvm::Function &function, llvm::SetVector<llvm::Function *> &found) {
  bool calls_unseen = false;
  for (llvm::Instruction &inst : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
    if (!call || call->isInlineAsm() || llvm::isa<llvm::IntrinsicInst>(call)) {
      continue;
    }
    llvm::Function *callee = call->getCalledFunction();
    if (callee && !callee->isDeclaration()) {
      found.insert(callee);
    } else {
      calls_unseen = true;
    }
  }
  for (llvm::Function &other : *function.getParent()) {
    if (calls_unseen && is_open(other)) {
      found.insert(&other);
    }
  }
}

bool may_run_itself(llvm::Function &function) {
  llvm::SetVector<llvm::Function *> reached;
  add_callees(function, reached);
  for (size_t i = 0; i < reached.size() && !reached.contains(&function); ++i) {
    add_callees(*reached[i], reached);
  }
  return reached.contains(&function);
}

}  // namespace

Result<void> part_after_recursion(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || is_kernel(function) || !may_run_itself(function)) {
      continue;
    }
    for (llvm::BasicBlock &block : function) {
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        llvm::IRBuilder<> builder(end);
        llvm::Value *here = builder.CreateIntrinsic(builder.getInt32Ty(), llvm::Intrinsic::nvvm_activemask, {});
        builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::nvvm_bar_warp_sync, {here});
      }
    }
  }
  return {};
}

}  // namespace hel::cc

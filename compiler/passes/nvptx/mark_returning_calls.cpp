// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/mark_returning_calls.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

bool returns(const llvm::CallBase &call) {
  if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    llvm::StringRef code = text->getAsmString();
    return !code.contains("exit") && !code.contains("trap") && !code.contains("ret");
  }
  return llvm::isa<llvm::IntrinsicInst>(call) && call.isConvergent() && !call.doesNotReturn();
}

}  // namespace

Result<void> mark_returning_calls(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&inst); call && returns(*call)) {
        call->addFnAttr(llvm::Attribute::WillReturn);
      }
    }
  }
  return {};
}

}  // namespace hel::cc

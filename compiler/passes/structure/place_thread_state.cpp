// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/place_thread_state.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/thread_state.h"

namespace hel::cc {
namespace {

llvm::GlobalVariable *thread_pointer(llvm::Module &module) {
  auto *variable = new llvm::GlobalVariable(module, llvm::PointerType::get(module.getContext(), 0), false,
                                            llvm::GlobalValue::ExternalLinkage, nullptr, "__hl_thread");
  variable->setThreadLocalMode(llvm::GlobalValue::InitialExecTLSModel);
  variable->setAlignment(llvm::Align(8));
  return variable;
}

}  // namespace

Result<void> place_thread_state(llvm::Module &module, Compilation &) {
  llvm::Function *self = module.getFunction(kSelfName);
  if (!self) {
    return {};
  }
  llvm::GlobalVariable *variable = nullptr;
  llvm::DenseMap<llvm::Function *, llvm::Value *> loaded;
  for (llvm::User *user : llvm::make_early_inc_range(self->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    llvm::Function *function = call->getFunction();
    llvm::Value *&state = loaded[function];
    if (!state) {
      variable = variable ? variable : thread_pointer(module);
      llvm::IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
      llvm::LoadInst *load =
          builder.CreateAlignedLoad(builder.getPtrTy(), builder.CreateThreadLocalAddress(variable), llvm::Align(8), "self");
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
      // What was pure touches memory now.
      function->removeFnAttr(llvm::Attribute::Memory);
      function->removeFnAttr(llvm::Attribute::Speculatable);
      state = load;
    }
    call->replaceAllUsesWith(state);
    call->eraseFromParent();
  }
  self->eraseFromParent();
  return {};
}

}  // namespace hel::cc

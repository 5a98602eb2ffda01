// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/place_pointers.h"

#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/run_passes.h"

namespace hel::cc {
namespace {

/// Lets all uses of `pointer` go through the global address space, from `place` on.
void place(llvm::Value *pointer, llvm::BasicBlock::iterator at, llvm::BasicBlock *block) {
  if (pointer->use_empty()) {
    return;
  }
  llvm::IRBuilder<> builder(block, at);
  auto *global = builder.CreateAddrSpaceCast(pointer, builder.getPtrTy(kGlobal));
  auto *generic = builder.CreateAddrSpaceCast(global, pointer->getType());
  pointer->replaceUsesWithIf(generic, [&](llvm::Use &use) { return use.getUser() != global; });
}

/// Pointers in a struct parameter, as far as they are loaded straight from it.
void place_loads(llvm::Value *address, llvm::SmallVectorImpl<llvm::LoadInst *> &loads) {
  for (llvm::User *user : address->users()) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      if (load->getType()->isPointerTy() && load->getType()->getPointerAddressSpace() == kGeneric) {
        loads.push_back(load);
      }
    } else if (llvm::isa<llvm::GetElementPtrInst>(user)) {
      place_loads(user, loads);
    }
  }
}

}  // namespace

Result<void> place_pointers(llvm::Module &module, Compilation &compilation) {
  if (compilation.options.debug) {
    return {};
  }
  for (llvm::Function *kernel : defined_kernels(module)) {
    for (llvm::Argument &argument : kernel->args()) {
      if (argument.hasByValAttr()) {
        llvm::SmallVector<llvm::LoadInst *, 8> loads;
        place_loads(&argument, loads);
        for (llvm::LoadInst *load : loads) {
          place(load, std::next(load->getIterator()), load->getParent());
        }
      } else if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == kGeneric) {
        place(&argument, kernel->getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), &kernel->getEntryBlock());
      }
    }
  }
  return {};
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/order_atomics.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

void fence_around(llvm::AtomicRMWInst &inst) {
  using llvm::AtomicOrdering;
  AtomicOrdering order = inst.getOrdering();
  llvm::IRBuilder<> builder(&inst);
  if (order == AtomicOrdering::SequentiallyConsistent) {
    builder.CreateFence(AtomicOrdering::SequentiallyConsistent, inst.getSyncScopeID());
  } else if (llvm::isReleaseOrStronger(order)) {
    builder.CreateFence(AtomicOrdering::Release, inst.getSyncScopeID());
  }
  if (llvm::isAcquireOrStronger(order)) {
    builder.SetInsertPoint(inst.getNextNode());
    builder.CreateFence(AtomicOrdering::Acquire, inst.getSyncScopeID());
  }
  inst.setOrdering(AtomicOrdering::Monotonic);
}

}  // namespace

Result<void> order_atomics(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&inst);
      if (atomic && atomic->getOrdering() != llvm::AtomicOrdering::Monotonic) {
        fence_around(*atomic);
      }
    }
  }
  return {};
}

}  // namespace hel::cc

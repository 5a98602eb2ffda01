// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/join_warp_barriers.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace hel::cc {
namespace {

bool is_barrier_of_whole_warp(const llvm::Instruction &inst) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  if (!call || call->getIntrinsicID() != llvm::Intrinsic::nvvm_bar_warp_sync) {
    return false;
  }
  auto *mask = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
  return mask && mask->isMinusOne();
}

}  // namespace

Result<void> join_warp_barriers(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::BasicBlock &block : function) {
      llvm::SmallVector<llvm::Instruction *, 3> barriers;  // with nothing but reads between them
      for (llvm::Instruction &inst : llvm::make_early_inc_range(block)) {
        if (is_barrier_of_whole_warp(inst)) {
          barriers.push_back(&inst);
          if (barriers.size() == 3) {
            barriers[1]->eraseFromParent();
            barriers = {barriers[0], barriers[2]};
          }
        } else if (inst.mayWriteToMemory() && !llvm::isa<llvm::AssumeInst>(inst)) {
          barriers.clear();
        }
      }
    }
  }
  return {};
}

}  // namespace hel::cc

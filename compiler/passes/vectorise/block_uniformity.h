// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all warps of a block have alike. A value is *uniform in the block* if warps that stand at the same barrier hold
// the same in it, however they came there. Internal to split_phases.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Instructions.h"

namespace hel::cc {

class BlockUniformity {
public:
  /// Looks at a warp function whose barriers stand in `barriers`.
  BlockUniformity(llvm::Function &body, llvm::ArrayRef<const llvm::CallInst *> barriers);

  bool is_uniform(const llvm::Instruction *value) const { return !nothing_ && !differs_.contains(value); }

private:
  bool may_differ(const llvm::Instruction &inst) const;
  void follow(const llvm::BasicBlock &parting, const llvm::BasicBlock *meeting);

  llvm::Function &body_;
  llvm::DenseSet<const llvm::BasicBlock *> has_barrier_;
  llvm::DenseSet<const llvm::Value *> differs_;
  bool nothing_ = false;  ///< warps may come to a barrier in different rounds of a loop
};

}  // namespace hel::cc

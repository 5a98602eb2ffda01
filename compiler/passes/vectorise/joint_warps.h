// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joint execution: several warps of a block run a phase together, in one stream of instructions. What is the same for
// all of them (loads of a shared tile's row, trip counters) is done once; what differs is done for one after the other,
// instruction by instruction, so that chains of dependent operations overlap. Nothing orders the warps of a block
// between two barriers, so that any interleaving is theirs. Where warps may part (partings.h) they go on jointly if all
// go the same way, and one after the other if not:
//
//     joint:  head ──► all inside ──► body ──► head        each alone:  phase behind the parting, from where the
//               ├────► none inside ──► sum, barrier                     branch stands
//               └────► some inside: each keeps what it has in its frame, and leaves
//
// Internal to split_phases.
#pragma once

#include "compiler/codegen/target.h"
#include "compiler/passes/vectorise/phase_values.h"

#include "llvm/ADT/DenseSet.h"

namespace hel::cc {

class JointWarps {
public:
  /// Looks at the phase of `body` after barrier `end` (-1: at the entry), which runs `blocks`, the first one first.
  JointWarps(llvm::Function &body, const PhaseValues &values, int end, llvm::ArrayRef<llvm::BasicBlock *> blocks,
             VectorRegisters machine);

  /// How many warps are to run together; 1 where that cannot be done (their ways may part, or they touch memory in an
  /// order that counts) or does not pay.
  unsigned count() const { return count_; }
  /// The warps may have different values here.
  bool differs(const llvm::Instruction *inst) const { return differs_.contains(inst); }
  /// Earlier phases may have computed it.
  bool is_loaded(const llvm::Instruction *inst) const {
    return loaded_ != nullptr && loaded_->contains(const_cast<llvm::Instruction *>(inst));
  }
  /// What they run jointly: all blocks of the phase but those that are only on ways on which they part.
  const llvm::SetVector<llvm::BasicBlock *> &blocks() const { return joined_; }

private:
  bool operand_differs(const llvm::Instruction &inst) const;
  void find_what_differs();
  bool join();
  bool can_join(const llvm::BasicBlock &block) const;
  bool may_part() const;
  bool pays() const;
  unsigned registers(unsigned warps) const;

  llvm::Function &body_;
  const PhaseValues &values_;
  llvm::ArrayRef<llvm::BasicBlock *> blocks_;
  const VectorRegisters machine_;
  llvm::SetVector<llvm::BasicBlock *> joined_;
  const llvm::SetVector<llvm::Instruction *> *loaded_ = nullptr;  ///< from the frame
  llvm::DenseSet<const llvm::Instruction *> differs_;
  unsigned count_ = 1;
};

}  // namespace hel::cc

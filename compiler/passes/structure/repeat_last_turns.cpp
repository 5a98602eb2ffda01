// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/repeat_last_turns.h"

#include "compiler/ir/counted_lanes.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/loop_step.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hel::cc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned kWarpSize = 32;

bool is_gather(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call != nullptr && call->getIntrinsicID() == Intrinsic::masked_gather;
}

bool has_effects(const BasicBlock *block) {
  return any_of(*block, [](const Instruction &inst) { return inst.mayHaveSideEffects() && !is_prefetch(inst); });
}

/// A loop of full turns, what comes after it, and the last turn.
class LastTurn {
public:
  LastTurn(BranchInst &branch, const LoopInfo &loops) : branch_(branch), head_(branch.getParent()), loops_(loops) {}

  /// Everything is as the header of this stage says.
  bool find() { return find_blocks() && find_full_turns() && find_index() && find_carried() && find_masks(); }

  void repeat() {
    IRBuilder<> builder(turn_, turn_->begin());
    MapVector<PHINode *, PHINode *> phis;
    for (auto [before, next] : carried_) {
      PHINode *phi = phis[before] = builder.CreatePHI(before->getType(), 2);
      phi->addIncoming(before->getIncomingValueForBlock(entry_), head_);
      before->replaceUsesWithIf(phi, [&](Use &use) { return cast<Instruction>(use.getUser())->getParent() == turn_; });
    }
    builder.SetInsertPoint(turn_->getTerminator());
    carried_[index_] = builder.CreateAdd(phis[index_], step_);
    Value *more = builder.CreateICmp(goes_on_, carried_[index_], end_);
    builder.CreateCondBr(more, turn_, after_);
    turn_->getTerminator()->eraseFromParent();
    for (auto [before, next] : carried_) {
      phis[before]->addIncoming(next, turn_);
    }
    count_lanes(*phis[index_]);
    for (Instruction &inst : make_early_inc_range(*turn_)) {
      if (is_prefetch(inst)) {
        inst.eraseFromParent();  // of what the turn itself reads
      }
    }
    for (PHINode &before : make_early_inc_range(head_->phis())) {
      before.replaceAllUsesWith(before.getIncomingValueForBlock(entry_));
      before.eraseFromParent();
    }
    branch_.dropUnknownNonDebugMetadata();  // it was seldom that a last turn was needed
    Instruction *to_full_turns = entry_->getTerminator();
    BranchInst::Create(head_, to_full_turns->getIterator());
    to_full_turns->eraseFromParent();
    EliminateUnreachableBlocks(*head_->getParent());
  }

private:
  /// head ──► turn ──► after, head ──► after
  bool find_blocks() {
    for (unsigned way : {0, 1}) {
      turn_ = branch_.getSuccessor(way);
      after_ = branch_.getSuccessor(1 - way);
      if (turn_->getSinglePredecessor() == head_ && turn_->getSingleSuccessor() == after_ &&
          !turn_->hasAddressTaken()) {
        auto *compare = dyn_cast<ICmpInst>(branch_.getCondition());
        if (compare == nullptr || compare->getParent() != head_ || !compare->hasOneUse()) {
          return false;
        }
        goes_on_ = way == 0 ? compare->getPredicate() : compare->getInversePredicate();
        return all_of(*head_,
                      [&](const Instruction &inst) {
                        return isa<PHINode>(inst) || &inst == compare || &inst == &branch_;
                      }) &&
               !has_effects(turn_) && any_of(*turn_, is_gather);
      }
    }
    return false;
  }

  /// entry ──► full turns ──► head, entry ──► head; the full turns write nothing.
  bool find_full_turns() {
    const Loop *loop = nullptr;
    for (BasicBlock *before : predecessors(head_)) {
      const Loop *inside = loops_.getLoopFor(before);
      if (inside != nullptr && !inside->contains(head_)) {
        loop = loop == nullptr || loop == inside ? inside : nullptr;
        if (loop == nullptr) {
          return false;
        }
      } else if (entry_ != nullptr) {
        return false;
      } else {
        entry_ = before;
      }
    }
    if (loop == nullptr || entry_ == nullptr || loop->getUniqueExitBlock() != head_) {
      return false;
    }
    BasicBlock *way = loop->getLoopPredecessor();
    while (way != nullptr && way != entry_ && way->getSingleSuccessor() != nullptr) {
      way = way->getSinglePredecessor();
    }
    const auto *enters = dyn_cast<BranchInst>(entry_->getTerminator());
    return way == entry_ && enters != nullptr && enters->getNumSuccessors() == 2 &&
           none_of(loop->blocks(), has_effects);
  }

  /// The comparison is `index < end`.
  bool find_index() {
    auto *compare = cast<ICmpInst>(branch_.getCondition());
    Value *index = compare->getOperand(0);
    end_ = compare->getOperand(1);
    if (!isa<PHINode>(index) || cast<PHINode>(index)->getParent() != head_) {
      std::swap(index, end_);
      goes_on_ = CmpInst::getSwappedPredicate(goes_on_);
    }
    index_ = dyn_cast<PHINode>(index);
    if (index_ == nullptr || index_->getParent() != head_ || !ICmpInst::isLT(goes_on_)) {
      return false;
    }
    const auto *made_here = dyn_cast<Instruction>(end_);
    if (made_here != nullptr && made_here->getParent() == head_) {
      return false;
    }
    step_ = ConstantInt::get(index_->getType(), last_turn_step(branch_));
    carried_[index_] = nullptr;
    return true;
  }

  /// What goes from turn to turn: what stands in `head` before the last turn, and in `after` after it.
  bool find_carried() {
    for (PHINode &phi : after_->phis()) {
      auto *before = dyn_cast<PHINode>(phi.getIncomingValueForBlock(head_));
      Value *next = phi.getIncomingValueForBlock(turn_);
      if (before == nullptr || before->getParent() != head_ || before == index_) {
        return false;
      }
      const auto [known, is_new] = carried_.insert({before, next});
      if (!is_new && known->second != next) {
        return false;
      }
    }
    for (PHINode &before : head_->phis()) {
      for (const Use &use : before.uses()) {
        const auto *user = cast<Instruction>(use.getUser());
        const auto *phi = dyn_cast<PHINode>(user);
        const bool is_for_after = phi != nullptr && phi->getParent() == after_ && phi->getIncomingBlock(use) == head_;
        const bool is_for_turn = user->getParent() == turn_ && carried_.contains(&before);
        if (!is_for_after && !is_for_turn && user != branch_.getCondition()) {
          return false;
        }
      }
    }
    return true;
  }

  /// The lanes' count, end - index, is for masks only, and these are for this turn.
  bool find_masks() {
    for (Instruction &inst : *turn_) {
      if (match(&inst, m_Sub(m_Specific(end_), m_Specific(index_)))) {
        if (!is_for_masks(inst)) {
          return false;
        }
      }
    }
    return !masks_.empty();
  }

  bool is_for_masks(Instruction &inst) {
    for (User *user : inst.users()) {
      auto *next = cast<Instruction>(user);
      if (next->getParent() != turn_) {
        return false;
      }
      if (count_in_bits(next) != nullptr || count_in_comparison(next) != nullptr) {
        masks_.insert(next);
        if (any_of(next->users(), [&](User *of) { return cast<Instruction>(of)->getParent() != turn_; })) {
          return false;
        }
      } else if (!isa<TruncInst, ShuffleVectorInst, InsertElementInst>(next) && next->getOpcode() != Instruction::Shl &&
                 !match(next, m_Not(m_Value()))) {
        return false;
      } else if (!is_for_masks(*next)) {
        return false;
      }
    }
    return true;
  }

  /// There may be more lanes than a warp has: all of them.
  void count_lanes(PHINode &index) {
    IRBuilder<> builder(turn_, turn_->getFirstInsertionPt());
    Value *rest = builder.CreateSub(end_, &index);
    if (rest->getType() != builder.getInt32Ty()) {
      Value *most = ConstantInt::get(rest->getType(), kWarpSize);
      rest = builder.CreateTrunc(builder.CreateBinaryIntrinsic(Intrinsic::umin, rest, most), builder.getInt32Ty());
    }
    Value *mask = compare_lanes(builder, rest, 0, kWarpSize);
    for (Instruction *old : masks_) {
      old->replaceAllUsesWith(mask);
      RecursivelyDeleteTriviallyDeadInstructions(old);
    }
  }

  BranchInst &branch_;
  BasicBlock *const head_;
  const LoopInfo &loops_;
  BasicBlock *turn_ = nullptr, *after_ = nullptr, *entry_ = nullptr;
  CmpInst::Predicate goes_on_ = CmpInst::BAD_ICMP_PREDICATE;
  PHINode *index_ = nullptr;
  Value *end_ = nullptr, *step_ = nullptr;
  MapVector<PHINode *, Value *> carried_;  ///< what stands before a turn, and after it
  SetVector<Instruction *> masks_;
};

bool repeat_one(Function &function) {
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch != nullptr && last_turn_step(*branch) == kWarpSize) {
      if (LastTurn turn(*branch, loops); turn.find()) {
        turn.repeat();
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Result<void> repeat_last_turns(Module &module, Compilation &) {
  for (Function &function : module) {
    if (!function.isDeclaration() && gather_register_bits(function) != 0) {
      while (repeat_one(function)) {
      }
    }
  }
  return {};
}

}  // namespace hel::cc

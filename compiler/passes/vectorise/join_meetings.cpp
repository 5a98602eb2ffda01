// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/join_meetings.h"

#include "compiler/ir/dominators.h"
#include "compiler/ir/simt_ops.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <optional>

namespace hel::cc {

using namespace llvm;

namespace {

/// The calls of one warp function: all lanes come to one of them, whichever way they go.
using Meeting = SmallVector<CallBase *, 2>;

/// The lanes that a warp function names, or the number of a barrier; null for other calls.
const Value *who_meets(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const SimtOp *op = callee != nullptr ? find_simt_op(*callee) : nullptr;
  const bool is_barrier = op != nullptr && op->uniform == Uniform::Block && op->effect == Effect::Sync;
  return is_barrier ? call.getArgOperand(0) : named_lanes(call);
}

/// What lies between a branch and the block in which its ways come together.
class Sides {
public:
  Sides(const BasicBlock &from, const BasicBlock &join, const DominatorTree &dominators, const LoopInfo &loops)
      : from_(from), join_(join), dominators_(dominators), loops_(loops) {}

  /// The meetings in order; empty if some way has others than another one, or anything else at which threads meet.
  SmallVector<Meeting, 2> meetings() {
    if (!find_blocks() || !count() || found_.empty()) {
      return {};
    }
    return std::move(found_);
  }

private:
  /// False if control also comes in between by another way, or gets back to the branch.
  bool find_blocks() {
    blocks_.insert(&from_);
    for (size_t i = 0; i < blocks_.size(); i++) {
      for (const BasicBlock *next : successors(blocks_[i])) {
        if (next == &from_ || (next != &join_ && !dominators_.dominates(&from_, next))) {
          return false;
        }
        if (next != &join_) {
          blocks_.insert(next);
        }
      }
    }
    return true;
  }

  bool count() {
    DenseMap<const BasicBlock *, size_t> before;  // how many meetings a lane has come to
    auto arrive = [&](const BasicBlock *block, size_t number) {
      return before.try_emplace(block, number).first->second == number;
    };
    for (const BasicBlock *block : ReversePostOrderTraversal<const BasicBlock *>(&from_)) {
      if (!blocks_.contains(block)) {
        continue;
      }
      const size_t start = before.lookup(block);
      const std::optional<size_t> number = block == &from_ ? start : pass(*block, start);
      if (!number || !all_of(successors(block), [&](const BasicBlock *next) { return arrive(next, *number); })) {
        return false;
      }
    }
    return before.lookup(&join_) == found_.size();
  }

  /// What is counted behind the block, or nothing if its calls are no meetings of this kind.
  std::optional<size_t> pass(const BasicBlock &block, size_t number) {
    for (const Instruction &inst : block) {
      const auto *call = dyn_cast<CallBase>(&inst);
      const Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
      if (call == nullptr || (!call->isConvergent() && !(callee != nullptr && is_meeting_point(callee->getName())))) {
        continue;
      }
      if (!joins(*call, number) || loops_.getLoopFor(&block) != loops_.getLoopFor(&from_)) {
        return std::nullopt;
      }
      if (number == found_.size()) {
        found_.emplace_back();
      }
      found_[number++].push_back(const_cast<CallBase *>(call));
    }
    return number;
  }

  /// The call names the lanes that the others name, and does the same with what they hold; or it is the same barrier.
  bool joins(const CallBase &call, size_t number) const {
    const Value *who = who_meets(call);
    const auto *inst = dyn_cast_or_null<Instruction>(who);
    if (who == nullptr || (inst != nullptr && !dominators_.dominates(inst, from_.getTerminator()))) {
      return false;
    }
    const CallBase *other = number < found_.size() ? found_[number].front() : nullptr;
    return other == nullptr || (call.getCalledFunction() == other->getCalledFunction() && who == who_meets(*other));
  }

  const BasicBlock &from_, &join_;
  const DominatorTree &dominators_;
  const LoopInfo &loops_;
  SmallSetVector<const BasicBlock *, 8> blocks_;  ///< the branch's first
  SmallVector<Meeting, 2> found_;
};

/// One call in the place of those of a meeting.
void join(const Meeting &meeting) {
  CallBase *first = meeting.front();
  Function &kernel = *first->getFunction();
  BasicBlock *place = BasicBlock::Create(kernel.getContext(), "meeting", &kernel, first->getParent()->getNextNode());
  IRBuilder<> builder(place);
  PHINode *from = builder.CreatePHI(builder.getInt32Ty(), meeting.size(), "from");
  auto *call = cast<CallBase>(first->clone());
  for (Use &argument : call->args()) {
    const unsigned number = argument.getOperandNo();
    if (!all_of(meeting, [&](CallBase *other) { return other->getArgOperand(number) == argument.get(); })) {
      argument.set(builder.CreatePHI(argument->getType(), meeting.size()));
    }
  }
  builder.Insert(call);
  SwitchInst *back = builder.CreateSwitch(from, nullptr, meeting.size() - 1);
  for (auto [number, old] : enumerate(meeting)) {
    BasicBlock *side = old->getParent(), *rest = side->splitBasicBlock(std::next(old->getIterator()), "back");
    side->getTerminator()->setSuccessor(0, place);
    from->addIncoming(builder.getInt32(number), side);
    for (Use &argument : call->args()) {
      if (auto *phi = dyn_cast<PHINode>(argument); phi != nullptr && phi->getParent() == place) {
        phi->addIncoming(old->getArgOperand(argument.getOperandNo()), side);
      }
    }
    if (number == 0) {
      back->setDefaultDest(rest);
    } else {
      back->addCase(builder.getInt32(number), rest);
    }
  }
  for (CallBase *old : meeting) {
    old->replaceAllUsesWith(call);
    old->eraseFromParent();
  }
}

/// What a side computes before a meeting and uses after it goes through phis there.
void restore_ssa(Function &kernel) {
  DominatorTree dominators(kernel);
  SmallVector<Instruction *, 8> across;
  for (Instruction &inst : instructions(kernel)) {
    if (any_of(inst.uses(), [&](const Use &use) { return !dominators.dominates(&inst, use); })) {
      across.push_back(&inst);
    }
  }
  std::vector<AllocaInst *> cells;
  const BasicBlock::iterator top = kernel.getEntryBlock().getFirstInsertionPt();
  for (Instruction *inst : across) {
    if (AllocaInst *cell = DemoteRegToStack(*inst, /*VolatileLoads=*/false, top)) {
      cells.push_back(cell);
    }
  }
  PromoteMemToReg(cells, dominators);
}

bool names_some(const CallBase &call) {
  const Value *lanes = named_lanes(call);
  const auto *constant = dyn_cast_or_null<ConstantInt>(lanes);
  return lanes != nullptr && (constant == nullptr || !constant->isMinusOne());
}

bool join_one(Function &kernel, LaneLayout layout, Joined which) {
  const DominatorTree dominators(kernel);
  const PostDominatorTree post(kernel);
  const LoopInfo loops(dominators);
  const ShapeAnalysis shapes(kernel, layout, /*whole_rows=*/false);
  // Inner branches first: what they have joined is one call on a side of an outer one.
  for (BasicBlock *from : post_order(&kernel)) {
    const BasicBlock *together = immediate_dominator(post, from);
    if (together == nullptr || from->getTerminator()->getNumSuccessors() < 2 || !shapes.is_divergent_branch(from)) {
      continue;
    }
    const SmallVector<Meeting, 2> meetings = Sides(*from, *together, dominators, loops).meetings();
    if (any_of(meetings, [&](const Meeting &m) { return which == Joined::OfAnyLanes || names_some(*m.front()); })) {
      for (const Meeting &meeting : meetings) {
        join(meeting);
      }
      restore_ssa(kernel);
      return true;
    }
  }
  return false;
}

}  // namespace

bool join_meetings(Function &kernel, LaneLayout layout, Joined which) {
  const bool may_join = any_of(instructions(kernel), [&](const Instruction &inst) {
    const auto *call = dyn_cast<CallBase>(&inst);
    return call != nullptr && (which == Joined::OfAnyLanes ? who_meets(*call) != nullptr : names_some(*call));
  });
  bool any = false;
  while (may_join && join_one(kernel, layout, which)) {
    any = true;
  }
  return any;
}

}  // namespace hel::cc

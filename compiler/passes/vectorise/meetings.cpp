// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/meetings.h"

#include "compiler/ir/simt_ops.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using Index = LinearOrder::Index;

namespace {

constexpr int kDeepest = 8;  ///< operations that are looked through
constexpr const char *kNamesAll = "hl.names.all";  ///< metadata of a vote that names all lanes that are in its loop

bool is_meeting(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return call.isConvergent() || (callee != nullptr && is_meeting_point(callee->getName()));
}

}  // namespace

bool is_block_barrier(const Instruction &inst) {
  const auto *call = dyn_cast<CallBase>(&inst);
  const Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && (callee->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_sync_all ||
                               callee->getIntrinsicID() == Intrinsic::nvvm_barrier_cta_sync_aligned_all);
}

bool can_be_seen(const Instruction &inst) {
  if (const auto *store = dyn_cast<StoreInst>(&inst)) {
    return !isa<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
  }
  const auto *call = dyn_cast<CallBase>(&inst);
  const Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return inst.mayWriteToMemory() && (callee == nullptr || !callee->getName().starts_with("llvm.nvvm."));
}

bool stands_still(const Instruction &inst) {
  const auto *call = dyn_cast<CallBase>(&inst);
  const auto *lanes = call != nullptr ? dyn_cast_or_null<ConstantInt>(named_lanes(*call)) : nullptr;
  return is_block_barrier(inst) || (lanes != nullptr && lanes->isMinusOne()) || inst.hasMetadata(kNamesAll);
}

namespace {

/// The loop goes on from `vote`, whose condition is `go_on`, for lanes alone for which it holds.
bool goes_on_if(const Value *go_on, const CallBase &vote, const Loop &loop) {
  const auto *branch = dyn_cast<BranchInst>(vote.getParent()->getTerminator());
  if (branch == nullptr || !branch->isConditional()) {
    return false;
  }
  return all_of(seq(2u), [&](unsigned i) {
    return !loop.contains(branch->getSuccessor(i)) ||
           isImpliedCondition(branch->getCondition(), go_on, vote.getDataLayout(), i == 0) == true;
  });
}

bool names_all_in_loop(const CallBase &vote, const LoopInfo &loops) {
  const Loop *loop = loops.getLoopFor(vote.getParent());
  const auto *named = dyn_cast_or_null<PHINode>(named_lanes(vote));
  if (loop == nullptr || named == nullptr || named->getParent() != loop->getHeader() || vote.arg_size() != 2) {
    return false;
  }
  return goes_on_if(vote.getArgOperand(1), vote, *loop) && all_of(seq(named->getNumIncomingValues()), [&](unsigned i) {
           const auto *constant = dyn_cast<ConstantInt>(named->getIncomingValue(i));
           return loop->contains(named->getIncomingBlock(i)) ? named->getIncomingValue(i) == &vote
                                                             : constant != nullptr && constant->isMinusOne();
         });
}

}  // namespace

void mark_votes_of_all(Function &kernel) {
  const DominatorTree dominators(kernel);
  const LoopInfo loops(dominators);
  for (Instruction &inst : instructions(kernel)) {
    if (const auto *vote = dyn_cast<CallBase>(&inst); vote != nullptr &&
                                                      vote->getIntrinsicID() == Intrinsic::nvvm_vote_ballot_sync &&
                                                      names_all_in_loop(*vote, loops)) {
      inst.setMetadata(kNamesAll, MDNode::get(kernel.getContext(), {}));
    }
  }
}

Meetings::Meetings(Function &kernel, const LinearOrder &order, const LoopInfo &loops, const ShapeAnalysis &shapes)
    : kernel_(kernel), order_(order), loops_(loops), shapes_(shapes), meets_(order.blocks().size()) {
  SmallVector<const BasicBlock *, 16> open;
  for (Index i = 0; i < order_.blocks().size(); i++) {
    bool any = false, of_warp = false;
    for (const Instruction &inst : *order_.blocks()[i]) {
      const auto *call = dyn_cast<CallBase>(&inst);
      bool meets = call != nullptr && is_meeting(*call);
      any |= meets;
      of_warp |= meets && !is_block_barrier(inst);
    }
    if (any) {
      open.push_back(order_.blocks()[i]);
      meets_.set(i);
    }
    if (of_warp) {
      warps_.push_back(i);
    }
  }
  while (!open.empty()) {
    for (const BasicBlock *before : predecessors(open.pop_back_val())) {
      if (Index i = order_.index_of(before); !meets_[i]) {
        meets_.set(i);
        open.push_back(before);
      }
    }
  }
}

/// Blocks that can follow in the same round of all loops around both.
BitVector Meetings::reached_from(Index start) const {
  BitVector reached(order_.blocks().size());
  reached.set(start);
  for (Index i = start; i < order_.blocks().size(); i++) {
    if (reached[i]) {
      for (const BasicBlock *next : successors(order_.blocks()[i])) {
        if (Index j = order_.index_of(next); j > i) {
          reached.set(j);
        }
      }
    }
  }
  return reached;
}

bool Meetings::is_reached_at_once(Index index) const {
  const BasicBlock *block = order_.blocks()[index];
  const PostDominatorTree post(kernel_);
  for (const Loop *loop = loops_.getLoopFor(block); loop != nullptr; loop = loop->getParentLoop()) {
    if (!repeats_for_same_lanes(*loop, *block, post)) {
      return false;
    }
  }
  BitVector later = reached_from(index);
  for (const Loop *loop = loops_.getLoopFor(block); loop != nullptr; loop = loop->getParentLoop()) {
    SmallVector<BasicBlock *, 4> exits;
    loop->getExitBlocks(exits);
    for (const BasicBlock *exit : exits) {
      later |= reached_from(order_.index_of(exit));
    }
  }
  BitVector by_lanes_elsewhere(later.size());
  for (Index waiting : pending_around(*block)) {
    by_lanes_elsewhere |= reached_from(waiting);
  }
  return all_of(warps_, [&](Index other) { return !by_lanes_elsewhere[other] || later[other]; });
}

/// The lanes that come to `block` in one round of the loop do so in all rounds of it: no lane leaves before another,
/// and what decides who comes (branches that `block` depends on, and those that they depend on) is the same in all
/// rounds.
bool Meetings::repeats_for_same_lanes(const Loop &loop, const BasicBlock &block,
                                      const PostDominatorTree &post) const {
  SmallSetVector<const BasicBlock *, 8> open;
  open.insert(&block);
  for (const BasicBlock *from : loop.blocks()) {
    if (shapes_.is_divergent_branch(from) && loop.isLoopExiting(from)) {
      return false;
    }
  }
  for (size_t i = 0; i < open.size(); i++) {
    for (const BasicBlock *from : loop.blocks()) {
      const BasicBlock *place = open[i];
      auto leads_there = [&](const BasicBlock *next) { return post.dominates(place, next); };
      if (open.contains(from) || post.properlyDominates(place, from) || none_of(successors(from), leads_there)) {
        continue;
      }
      if (shapes_.is_divergent_branch(from)) {
        const auto *branch = cast<BranchInst>(from->getTerminator());
        if (!lets_same_lanes_through(branch->getCondition(), leads_there(branch->getSuccessor(0)), loop, 0)) {
          return false;
        }
      }
      open.insert(from);
    }
  }
  return true;
}

/// The lanes for which `condition` is `truth` are the same in every round in which there are any.
bool Meetings::lets_same_lanes_through(const Value *condition, bool truth, const Loop &loop, int depth) const {
  using namespace PatternMatch;
  const Value *a = nullptr, *b = nullptr;
  auto both = [&](const Value *x, const Value *y) {
    return lets_same_lanes_through(x, truth, loop, depth + 1) && lets_same_lanes_through(y, truth, loop, depth + 1);
  };
  if (shapes_.of(condition).is_uniform() || is_same_in_every_round(condition, loop, 0)) {
    return true;
  }
  if (depth == kDeepest) {
    return false;
  }
  if (match(condition, m_Not(m_Value(a)))) {
    return lets_same_lanes_through(a, !truth, loop, depth + 1);
  }
  return truth ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) && both(a, b)
               : match(condition, m_LogicalOr(m_Value(a), m_Value(b))) && both(a, b);
}

bool Meetings::is_same_in_every_round(const Value *value, const Loop &loop, int depth) const {
  const auto *inst = dyn_cast<Instruction>(value);
  if (inst == nullptr || !loop.contains(inst)) {
    return true;
  }
  return depth < kDeepest && !isa<PHINode>(inst) && !inst->mayReadOrWriteMemory() &&
         all_of(inst->operands(), [&](const Use &operand) { return is_same_in_every_round(operand, loop, depth + 1); });
}

/// Where lanes may wait that are not in `block` while others are: those that have parted in this round of the loops
/// around it, and those that have left these loops.
std::set<Index> Meetings::pending_around(const BasicBlock &block) const {
  std::set<Index> elsewhere = order_.pending(order_.index_of(&block));
  for (const Loop *loop = loops_.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop()) {
    const std::set<Index> &left = order_.pending(order_.index_of(loop->getLoopLatch()));
    elsewhere.insert(left.begin(), left.end());
  }
  return elsewhere;
}

SetVector<const BasicBlock *> Meetings::lanes_elsewhere(const BasicBlock &block) const {
  const Loop *inner = loops_.getLoopFor(&block);
  SetVector<const BasicBlock *> reached;
  for (Index waiting : pending_around(block)) {
    if (inner == nullptr || !inner->contains(order_.blocks()[waiting])) {
      reached.insert(order_.blocks()[waiting]);
    }
  }
  for (size_t i = 0; i < reached.size(); i++) {
    if (none_of(*reached[i], stands_still)) {
      reached.insert(succ_begin(reached[i]), succ_end(reached[i]));
    }
  }
  return reached;
}

bool Meetings::may_wait_within_warp(const BasicBlock &block) const {
  return any_of(lanes_elsewhere(block), [](const BasicBlock *elsewhere) {
    return any_of(make_range(elsewhere->begin(), find_if(*elsewhere, stands_still)), can_be_seen);
  });
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/thread_known_cases.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hel::cc {
namespace {

using namespace llvm;

constexpr unsigned kMostBlocks = 16;   ///< between a case and the end of its code
constexpr unsigned kMostJumps = 1000;  ///< one after the other
constexpr unsigned kMostRounds = 8;

/// What `value` is on the way from `from` to `to`, null if that is not known.
ConstantInt *known_on_edge(const Value *value, BasicBlock *from, BasicBlock *to) {
  if (auto *choice = dyn_cast<SwitchInst>(from->getTerminator())) {
    return choice->getCondition() == value ? choice->findCaseDest(to) : nullptr;
  }
  auto *branch = dyn_cast<BranchInst>(from->getTerminator());
  auto *compare = branch != nullptr && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (compare == nullptr || !compare->isEquality() || compare->getOperand(0) != value ||
      branch->getSuccessor(0) == branch->getSuccessor(1)) {
    return nullptr;
  }
  const unsigned equal = compare->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1;
  return branch->getSuccessor(equal) == to ? dyn_cast<ConstantInt>(compare->getOperand(1)) : nullptr;
}

/// What `value` is at the beginning of the block, whichever way leads there.
ConstantInt *known_on_all_edges(const Value *value, BasicBlock *block) {
  ConstantInt *known = nullptr;
  for (BasicBlock *from : predecessors(block)) {
    ConstantInt *on_edge = known_on_edge(value, from, block);
    if (on_edge == nullptr || (known != nullptr && known != on_edge)) {
      return nullptr;
    }
    known = on_edge;
  }
  return known;
}

/// What `value` is at the end of the block.
ConstantInt *known_in(const Value *value, BasicBlock *block) {
  for (unsigned i = 0; i < kMostBlocks && block != nullptr; i++) {
    if (ConstantInt *known = known_on_all_edges(value, block)) {
      return known;
    }
    block = block->getSinglePredecessor();
  }
  return nullptr;
}

/// The comparison with a constant on which a branch depends, if it is all that the branch's block does.
ICmpInst *lone_comparison(BranchInst &branch) {
  auto *compare = branch.isConditional() ? dyn_cast<ICmpInst>(branch.getCondition()) : nullptr;
  return compare != nullptr && compare == &branch.getParent()->front() && compare->getNextNode() == &branch &&
                 compare->hasOneUse() && compare->isEquality() && isa<ConstantInt>(compare->getOperand(1))
             ? compare
             : nullptr;
}

/// Where a block that does nothing but choose goes after `from`; null if it does more, or may go several ways.
BasicBlock *way_on(BasicBlock &chooses, BasicBlock *from) {
  if (auto *choice = dyn_cast<SwitchInst>(&chooses.front())) {
    ConstantInt *known = known_in(choice->getCondition(), from);
    return known != nullptr ? choice->findCaseValue(known)->getCaseSuccessor() : nullptr;
  }
  auto *branch = dyn_cast<BranchInst>(chooses.getTerminator());
  ICmpInst *compare = branch != nullptr ? lone_comparison(*branch) : nullptr;
  ConstantInt *known = compare != nullptr ? known_in(compare->getOperand(0), from) : nullptr;
  if (known == nullptr) {
    return nullptr;
  }
  const bool equal = known == compare->getOperand(1);
  return branch->getSuccessor(equal == (compare->getPredicate() == CmpInst::ICMP_EQ) ? 0 : 1);
}

/// A block that is come to with one value only does not choose by it.
bool choose_once(BasicBlock &block) {
  if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator())) {
    if (ConstantInt *known = known_in(choice->getCondition(), &block)) {
      choice->setCondition(known);
      return ConstantFoldTerminator(&block);
    }
  }
  return false;
}

/// Where the block goes on, past all blocks of which it is known where they lead.
bool go_past_choices(BasicBlock &block, const LoopInfo &loops) {
  bool changed = false;
  auto *jump = dyn_cast<BranchInst>(block.getTerminator());
  for (unsigned i = 0; i < kMostJumps && jump != nullptr && jump->isUnconditional(); i++) {
    // A loop is entered by its header.
    BasicBlock *chooses = jump->getSuccessor(0);
    BasicBlock *next = loops.isLoopHeader(chooses) ? nullptr : way_on(*chooses, &block);
    if (next == nullptr || next == chooses) {
      break;
    }
    for (PHINode &phi : next->phis()) {
      phi.addIncoming(phi.getIncomingValueForBlock(chooses), &block);
    }
    jump->setSuccessor(0, next);
    changed = true;
  }
  return changed;
}

}  // namespace

PreservedAnalyses ThreadKnownCases::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false, again = true;
  for (unsigned round = 0; again && round < kMostRounds; round++) {
    again = false;
    for (BasicBlock &block : function) {
      again |= choose_once(block);
      again |= go_past_choices(block, loops);
    }
    changed |= again;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace hel::cc

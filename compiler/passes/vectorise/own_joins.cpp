// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/own_joins.h"

#include "compiler/ir/dominators.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hel::cc {

using namespace llvm;

namespace {

/// The blocks from which control comes to `join` after the branch at the end of `from`.
SmallSetVector<BasicBlock *, 4> ways_to(BasicBlock *join, BasicBlock *from) {
  SmallSetVector<BasicBlock *, 4> ways;
  SetVector<BasicBlock *> reached;
  reached.insert(from);
  for (size_t i = 0; i < reached.size(); i++) {
    for (BasicBlock *next : successors(reached[i])) {
      if (next == join) {
        ways.insert(reached[i]);
      } else {
        reached.insert(next);
      }
    }
  }
  return ways;
}

bool have_something_alike(ArrayRef<BasicBlock *> ways, BasicBlock &join) {
  return any_of(join.phis(), [&](const PHINode &phi) {
    const Value *first = phi.getIncomingValueForBlock(ways.front());
    return all_of(ways, [&](const BasicBlock *way) { return phi.getIncomingValueForBlock(way) == first; });
  });
}

}  // namespace

void give_own_joins(Function &kernel) {
  const PostDominatorTree post(kernel);
  // Inner branches first: their joins are ways of the outer ones.
  for (BasicBlock *from : SmallVector<BasicBlock *, 32>(post_order(&kernel))) {
    BasicBlock *join = immediate_dominator(post, from);
    if (join == nullptr || from->getTerminator()->getNumSuccessors() < 2 || join->phis().empty()) {
      continue;
    }
    const SmallSetVector<BasicBlock *, 4> ways = ways_to(join, from);
    if (ways.size() > 1 && !join->hasNPredecessors(ways.size()) && have_something_alike(ways.getArrayRef(), *join)) {
      SplitBlockPredecessors(join, ways.getArrayRef(), ".joined");
    }
  }
}

}  // namespace hel::cc

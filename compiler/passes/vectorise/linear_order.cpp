// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/linear_order.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

namespace hel::cc {

using namespace llvm;

LinearOrder::LinearOrder(Function &kernel, const LoopInfo &loops, const ShapeAnalysis &shapes) {
  build_order(kernel, loops);
  solve_pending(loops, shapes);
}

/// Reverse post-order in which the blocks of each loop stand together: a loop is emitted whole where its header stands.
/// Nothing outside a loop can come between without being reachable only after it, since loops are entered by the
/// header.
void LinearOrder::build_order(Function &kernel, const LoopInfo &loops) {
  std::vector<BasicBlock *> rpo;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&kernel)) {
    rpo.push_back(block);
  }
  DenseMap<const BasicBlock *, bool> placed;
  auto place = [&](auto &&self, const Loop *loop) -> void {
    for (BasicBlock *block : rpo) {
      if (placed.lookup(block) || (loop != nullptr && !loop->contains(block))) {
        continue;
      }
      const Loop *inner = loops.getLoopFor(block);
      if (inner == loop) {
        placed[block] = true;
        order_.push_back(block);
        continue;
      }
      while (inner->getParentLoop() != loop) {
        inner = inner->getParentLoop();
      }
      self(self, inner);
    }
  };
  place(place, nullptr);
  for (Index i = 0; i < order_.size(); i++) {
    index_[order_[i]] = i;
  }
}

void LinearOrder::solve_pending(const LoopInfo &loops, const ShapeAnalysis &shapes) {
  pending_.assign(order_.size(), {});
  may_be_empty_.assign(order_.size(), 0);
  bool changed = true;
  auto defer = [&](Index at, const std::set<Index> &candidates, bool empty_possible) {
    std::set<Index> &pending = pending_[at];
    for (Index c : candidates) {
      changed |= c != at && pending.insert(c).second;
    }
    if (empty_possible && !may_be_empty_[at]) {
      may_be_empty_[at] = 1;
      changed = true;
    }
  };
  while (changed) {
    changed = false;
    for (Index b = 0; b < order_.size(); b++) {
      std::set<Index> waiting = pending_[b];
      if (may_be_empty_[b] && !waiting.empty()) {
        defer(*waiting.begin(), waiting, true);
      }
      auto *branch = dyn_cast<BranchInst>(order_[b]->getTerminator());
      if (branch == nullptr) {
        continue;  // the return block: last in order, nothing can be pending
      }
      bool divergent = branch->isConditional() && shapes.is_divergent_branch(order_[b]);
      const Loop *loop = loops.getLoopFor(order_[b]);
      bool latch = loop != nullptr && loop->getLoopLatch() == order_[b];
      if (latch) {
        // Lanes that wait outside the loop keep waiting during the next iteration; when no lane is left, they go on.
        Index header = index_of(loop->getHeader());
        std::set<Index> outside;
        for (Index w : waiting) {
          if (!loop->contains(order_[w])) {
            outside.insert(w);
          }
        }
        defer(header, outside, false);
        if (!outside.empty()) {
          defer(*outside.begin(), outside, true);
        }
        continue;
      }
      if (divergent) {
        std::set<Index> all = waiting;
        for (BasicBlock *s : successors(order_[b])) {
          all.insert(index_of(s));
        }
        defer(*all.begin(), all, true);
        continue;
      }
      for (BasicBlock *s : successors(order_[b])) {
        std::set<Index> all = waiting;
        all.insert(index_of(s));
        defer(*all.begin(), all, *all.begin() != index_of(s));
      }
    }
  }
}

LinearOrder::Index LinearOrder::next_on_edge(Index from, Index successor) const {
  const std::set<Index> &waiting = pending_[from];
  return waiting.empty() ? successor : std::min(successor, *waiting.begin());
}

LinearOrder::Index LinearOrder::next_after_divergent(Index from) const {
  Index next = first_successor(from);
  return pending_[from].empty() ? next : std::min(next, *pending_[from].begin());
}

LinearOrder::Index LinearOrder::first_successor(Index from) const {
  Index first = ~0u;
  for (BasicBlock *s : successors(order_[from])) {
    first = std::min(first, index_of(s));
  }
  return first;
}

bool LinearOrder::next_when_skipped(Index block, Index &next) const {
  if (pending_[block].empty()) {
    return false;
  }
  next = *pending_[block].begin();
  return true;
}

}  // namespace hel::cc

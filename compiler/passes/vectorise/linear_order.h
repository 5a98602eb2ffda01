// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which a warp visits the blocks of a kernel, and where it goes after each: partial control-flow
// linearisation. Uniform branches stay branches; after a divergent branch both sides are visited, one after the other.
//
// On entry: the kernel has reducible control flow, no switch, one return block, loops in simplified form with an
// unconditional latch, LCSSA.
//
//        d                      d  (divergent)
//       / \                     |
//      a   b        ──►         a   (mask d & c)
//       \ /                     |
//        j                      b   (mask d & !c)     "b is pending at a"
//                               |
//                               j   (mask d)
//
// A block is *pending* at another if lanes may still wait to run it when control is there. The block after `x` is the
// first in order of x's successors and of what is pending at x (deferral relation of Moll and Hack, "Partial
// control-flow linearization", PLDI 2018).
#pragma once

#include "compiler/passes/vectorise/shape.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"

#include <set>
#include <vector>

namespace hel::cc {

class LinearOrder {
public:
  using Index = unsigned;

  LinearOrder(llvm::Function &kernel, const llvm::LoopInfo &loops, const ShapeAnalysis &shapes);

  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return order_; }
  Index index_of(const llvm::BasicBlock *block) const { return index_.lookup(block); }

  /// Blocks that may have waiting lanes while `block` runs (all later in order, or exits of enclosing loops).
  const std::set<Index> &pending(Index block) const { return pending_[block]; }

  /// Where control goes when an edge from `from` to `successor` is taken, uniformly: the successor, or a pending block
  /// that comes before it.
  Index next_on_edge(Index from, Index successor) const;

  /// Where control goes after a divergent branch of `from`.
  Index next_after_divergent(Index from) const;

  /// The same where nothing is pending.
  Index first_successor(Index from) const;

  /// Where control goes when `block` is skipped because no lane waits for it; none if nothing else is pending.
  bool next_when_skipped(Index block, Index &next) const;

  /// Control may arrive at `block` without any lane for it.
  bool may_be_empty(Index block) const { return may_be_empty_[block]; }

private:
  void build_order(llvm::Function &kernel, const llvm::LoopInfo &loops);
  void solve_pending(const llvm::LoopInfo &loops, const ShapeAnalysis &shapes);

  std::vector<llvm::BasicBlock *> order_;
  llvm::DenseMap<const llvm::BasicBlock *, Index> index_;
  std::vector<std::set<Index>> pending_;
  std::vector<char> may_be_empty_;
};

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the threads of a kernel meet (barriers, warp functions), and which lanes can still come there.
#pragma once

#include "compiler/passes/vectorise/linear_order.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class PostDominatorTree;
}

namespace hel::cc {

class Meetings {
public:
  Meetings(llvm::Function &kernel, const LinearOrder &order, const llvm::LoopInfo &loops, const ShapeAnalysis &shapes);

  /// Threads that are at the start of this block will leave the kernel without meeting others: nobody waits for them.
  bool ends_alone(LinearOrder::Index block) const { return !meets_[block]; }

  /// A warp function in this block is reached by a lane together with all others that ever reach it, if they do at all:
  /// a lane that is elsewhere does not come later, in another round of a loop, nor to another warp function instead.
  ///
  ///   if (warp == 0)                         yes        for (…)                           no: each lane in its round
  ///     for (…) sum += shfl(all, sum);                    if (lane == i) x = shfl(all, x);
  bool is_reached_at_once(LinearOrder::Index block) const;

  /// What the lanes that are not in the loop around `block`, while others wait there, may still do before they stand
  /// still: a block in which they do is the last.
  llvm::SetVector<const llvm::BasicBlock *> lanes_elsewhere(const llvm::BasicBlock &block) const;

  /// They would do something that can be seen, which they might be waited for.
  bool may_wait_within_warp(const llvm::BasicBlock &block) const;

private:
  bool repeats_for_same_lanes(const llvm::Loop &loop, const llvm::BasicBlock &block,
                              const llvm::PostDominatorTree &post) const;
  bool lets_same_lanes_through(const llvm::Value *condition, bool truth, const llvm::Loop &loop, int depth) const;
  bool is_same_in_every_round(const llvm::Value *value, const llvm::Loop &loop, int depth) const;
  std::set<LinearOrder::Index> pending_around(const llvm::BasicBlock &block) const;
  llvm::BitVector reached_from(LinearOrder::Index block) const;

  llvm::Function &kernel_;
  const LinearOrder &order_;
  const llvm::LoopInfo &loops_;
  const ShapeAnalysis &shapes_;
  llvm::BitVector meets_;                           ///< by block: a meeting can be reached from its start
  llvm::SmallVector<LinearOrder::Index, 8> warps_;  ///< blocks with calls at which the lanes of a warp meet
};

/// Other threads can see that it was done.
bool can_be_seen(const llvm::Instruction &inst);

/// A barrier of all threads of the block.
bool is_block_barrier(const llvm::Instruction &inst);

/// A lane that comes here does nothing more before all lanes of its warp have come that have not left the loop around
/// it in another round: a barrier of the block, or a warp function that names all lanes.
bool stands_still(const llvm::Instruction &inst);

/// Marks votes in loops that name all lanes at first, and then those that voted to go on, which alone do:
///   lanes = all; do { …; lanes = ballot(lanes, go_on); } while (go_on);
/// Lanes stand still there: whoever is still in the loop is named.
void mark_votes_of_all(llvm::Function &kernel);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps for which a phase has nothing to do, behind one for which it has nothing to do either. The warps of a block run
// a phase in the order of their numbers, and what the block has alike is the same for all of them:
//
//     for (s = blockDim.x / 2; s > 0; s /= 2) {        s is the same for all warps
//       if (threadIdx.x < s) a[threadIdx.x] += …;      the first warp that fails here is the first of all that do
//       __syncthreads();
//     }
//
// Internal to split_phases.
#pragma once

#include "compiler/passes/vectorise/phase_values.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/BasicBlock.h"

#include <optional>
#include <utility>

namespace hel::cc {

class IdleWarps {
public:
  /// Looks at the phase that begins with the first one of `blocks`; `barriers` end it.
  IdleWarps(const llvm::Function &body, const PhaseValues &values, llvm::ArrayRef<llvm::BasicBlock *> blocks,
            const llvm::DenseMap<const llvm::Instruction *, size_t> &barriers);

  /// A warp that takes none of the `busy_edges` has done nothing, and all warps behind it take the way that it took.
  bool found() const { return !busy_edges_.empty(); }
  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  llvm::ArrayRef<Edge> busy_edges() const { return busy_edges_.getArrayRef(); }
  bool may_come_to(const llvm::BasicBlock *block) const { return ways_.contains(block); }
  /// What an idle warp has in `value`, when it leaves the phase.
  const llvm::Value *value_of(const llvm::Value *value) const;

private:
  bool is_uniform(const llvm::Value *value) const;
  std::optional<bool> idle_truth(const llvm::Value *condition, unsigned depth = 0) const;
  bool follow(const llvm::BasicBlock &block);

  const llvm::Function &body_;
  const PhaseValues &values_;
  const llvm::DenseMap<const llvm::Instruction *, size_t> &barriers_;
  llvm::SetVector<const llvm::BasicBlock *> ways_;  ///< blocks that an idle warp may come to
  llvm::SetVector<Edge> busy_edges_;
};

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has to outlive the barriers of a warp function: which values, and where each of them lies in the warp's frame.
// Internal to split_phases.
//
// A *phase* is what a warp runs from its entry, or from behind one barrier, until it comes to a barrier or its end.
#pragma once

#include "compiler/passes/vectorise/block_uniformity.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

#include <memory>
#include <vector>

namespace hel::cc {

/// A call that is the last thing in its block but for a branch to `after`, which has no other predecessor.
struct PhaseEnd {
  enum Kind {
    Barrier,  ///< of the block
    Round,    ///< the end of a round of a loop (kRound)
    Parting,  ///< the mark of a branch in `after` (partings.h); only warps that run jointly may end their phase here
  };
  llvm::CallInst *call;
  llvm::BasicBlock *after;
  Kind kind;
};

class PhaseValues {
public:
  /// Cuts the blocks of `body` at `calls`, and moves the computation of what is cheap to where it is used.
  PhaseValues(llvm::Function &body, const std::vector<std::pair<llvm::CallInst *, PhaseEnd::Kind>> &calls);

  const std::vector<PhaseEnd> &ends() const { return ends_; }
  /// The values that what follows `end` uses of what was computed before it, in the order of the function.
  const llvm::SetVector<llvm::Instruction *> &live_across(size_t end) const { return live_[end]; }
  /// Warps that stand at the same barrier hold the same in `value`.
  bool is_uniform(const llvm::Instruction *value) const { return uniformity_->is_uniform(value); }
  /// Gives each value its place in the frame. `joint`: the ends that warps come to or go on from jointly.
  void lay_out_frame(const llvm::BitVector &joint);
  uint64_t place_of(const llvm::Instruction *value) const { return places_.lookup(value); }
  /// It has one place for all warps, in the frame of the first one that runs the body.
  bool has_common_place(const llvm::Instruction *value) const { return common_.contains(value); }
  /// Bytes of one warp's frame, a multiple of 64.
  uint64_t frame_bytes() const { return frame_bytes_; }

private:
  void cut_at(llvm::CallInst *call, PhaseEnd::Kind kind);
  void find_live_values();
  void recompute_cheap_values();
  bool continues_at(const llvm::Instruction &value, uint64_t offset) const;
  void find_common_places(const llvm::BitVector &joint);

  llvm::Function &body_;
  std::vector<PhaseEnd> ends_;
  std::vector<llvm::SetVector<llvm::Instruction *>> live_;
  llvm::DenseMap<const llvm::Instruction *, uint64_t> places_;
  llvm::DenseSet<const llvm::Instruction *> common_;
  std::unique_ptr<BlockUniformity> uniformity_;
  uint64_t frame_bytes_ = 0;
};

/// Metadata of the widener's scratch space, which holds nothing from one instruction of the kernel to the next. All
/// other stack space lives in the frame.
inline constexpr char kScratch[] = "hl.scratch";

}  // namespace hel::cc

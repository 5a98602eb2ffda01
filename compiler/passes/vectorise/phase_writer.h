// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One phase of a warp function as a function of its own, which runs it for a range of warps. Internal to split_phases.
#pragma once

#include "compiler/passes/vectorise/idle_warps.h"
#include "compiler/passes/vectorise/joint_warps.h"
#include "compiler/passes/vectorise/phase_values.h"
#include "compiler/passes/vectorise/warp_steps.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <set>

namespace hel::cc {

/// What the phases of one block share, in the frame of the block function.
struct PhaseState {
  static constexpr uint64_t kMostWarps = 32;
  static constexpr uint64_t kNext = 0;                          ///< i32 a warp: the phase that it runs next, or kEnded
  static constexpr uint64_t kLanes = kNext + 4 * kMostWarps;    ///< i32 a warp: the lanes that it has
  static constexpr uint64_t kTruths = kLanes + 4 * kMostWarps;  ///< i32: true predicates given at this barrier,
  static constexpr uint64_t kVoters = kTruths + 4;              ///< i32: and lanes that gave one
  static constexpr uint64_t kTruthsBefore = kTruths + 8;        ///< the same of the barrier that opened last
  static constexpr uint64_t kVotersBefore = kTruths + 12;
  static constexpr uint64_t kFrames = kTruths + 64;  ///< a frame a warp
  static constexpr uint32_t kEnded = ~0u;
  static constexpr uint32_t kSeveral = kEnded - 1;  ///< in the place of a phase: not the same for all warps
};

struct Phase {
  /// i32(ptr launch, ptr block, i32 begin, i32 end, ptr state): runs the phase for the warps [begin, end), and returns
  /// what all of them run next, or kSeveral where that is not the same; then the state has it for each.
  llvm::Function *function = nullptr;
  std::set<uint32_t> next;  ///< the numbers of the phases that may follow, and kEnded
  bool is_first = false;    ///< at the entry of a warp function
  bool goes_on = false;     ///< no barrier holds it up
  bool votes = false;       ///< warps give a predicate at the barrier that it comes to
};

/// Where the state has the next phase of a warp.
llvm::Value *next_phase_of(llvm::IRBuilder<> &builder, llvm::Value *state, llvm::Value *warp);

/// Notes that the warps [from, to) run `phase` next, unless that stands in their state already (kSeveral).
void note_next_phase(llvm::IRBuilder<> &builder, llvm::Value *state, llvm::Value *from, llvm::Value *to,
                     llvm::Value *phase);

class PhaseWriter {
public:
  /// The phase at the entry of `body` has the number `first`, the one after barrier or parting `end` is
  /// `first + end + 1`.
  PhaseWriter(llvm::Function &body, const PhaseValues &values, uint64_t frame_bytes, uint32_t first,
              VectorRegisters machine);

  static constexpr int kEntry = -1;
  /// Writes the phase that follows barrier `end`. All functions written stand in `functions`.
  Phase write(int end, std::vector<llvm::Function *> &functions);

  /// The blocks of `body` that the phase runs, its first one first. Warps that run jointly do not stop at the end of a
  /// round.
  static llvm::SetVector<llvm::BasicBlock *> blocks_of(llvm::Function &body, const PhaseValues &values, int end,
                                                       bool jointly);

  /// A mark that the phase goes on behind.
  static bool is_passed(const llvm::Instruction &inst, const JointWarps *joint);

private:
  /// A function that runs the phase for as many warps at a time as are a multiple of `warps`.
  struct Together {
    llvm::Function *function;
    unsigned warps;
  };
  llvm::Function *write_loop(const JointWarps *joint, unsigned warps, llvm::ArrayRef<Together> together);
  void create(llvm::ArrayRef<Together> together);
  void close_loop();
  struct Range {
    llvm::Value *from, *mid, *to;
  };
  llvm::Value *common_phase(llvm::Value *some, llvm::Value *others, const Range &warps);
  bool is_for_first_warp() const;
  bool can_skip(const IdleWarps &idle) const;
  bool stays_for_idle_warps(const llvm::Instruction *value, const IdleWarps &idle) const;
  void begin_warps();
  llvm::Value *field(uint64_t offset, llvm::Value *warp = nullptr);
  llvm::Value *frame_of(llvm::Value *warp);
  llvm::Value *place(const llvm::Instruction *value, unsigned warp);
  llvm::Value *frame_with(const llvm::Instruction *value, llvm::Value *of_warp);
  llvm::Value *result_of_vote(llvm::CallInst &barrier);
  void map_local_arrays();
  void load_live_values(const JointWarps *joint);
  void clone_blocks(const JointWarps *joint);
  void write_steps(llvm::SmallVectorImpl<llvm::Instruction *> &apart, llvm::BasicBlock &copy);
  void connect_copies(const JointWarps *joint);
  struct AllOrNone {
    llvm::Value *all, *none;
  };
  AllOrNone all_or_none(const llvm::Value &condition);
  void part(size_t end, const JointWarps &joint);
  void close_block(llvm::BasicBlock &source, const JointWarps *joint);
  void leave(llvm::BasicBlock *from, uint32_t next);
  void cast_vote(llvm::CallInst &arrival);

  /// `now` goes into the place of `value` in the frame of a warp where the phase leaves.
  struct Kept {
    llvm::Instruction *value;
    unsigned warp;
    llvm::Value *now;
    llvm::BasicBlock *leaving;
  };
  void keep_live_values(const JointWarps *joint);
  void find_kept(llvm::Instruction *value, unsigned first, unsigned last, std::vector<Kept> &kept);
  void store(const Kept &kept, llvm::Value *frame);
  void skip_idle_warps(llvm::ArrayRef<Kept> kept);
  bool is_kept(const Kept &kept) const;
  bool is_defined_here(const llvm::Instruction *value) const;

  /// A barrier or parting at which the phase leaves.
  struct Leave {
    size_t end;
    llvm::BasicBlock *block;
  };

  /// One of the warps that run jointly.
  struct OneWarp {
    llvm::Value *number = nullptr, *frame = nullptr;
    llvm::ValueToValueMapTy map;
    llvm::MapVector<llvm::Instruction *, llvm::Value *> loaded;
  };

  llvm::Function &body_;
  const PhaseValues &values_;
  uint64_t frame_bytes_;
  uint32_t first_;
  const VectorRegisters machine_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const llvm::Instruction *, size_t> barriers_;

  // Of the phase being written:
  int end_ = kEntry;
  llvm::Function *phase_ = nullptr;
  llvm::BasicBlock *entry_ = nullptr, *each_warp_ = nullptr, *latch_ = nullptr;
  bool first_warp_only_ = false;
  llvm::Value *state_ = nullptr, *block_index_[3] = {};
  llvm::Value *first_frame_ = nullptr;  ///< that of the first warp, if anything is kept for all
  llvm::PHINode *warp_ = nullptr, *next_phase_ = nullptr, *common_ = nullptr, *result_ = nullptr;
  std::set<uint32_t> next_;           ///< what warps of this phase, by whichever function, run next
  std::unique_ptr<WarpSteps> steps_;  ///< of warps that run jointly
  std::vector<std::unique_ptr<OneWarp>> warps_;
  std::unique_ptr<IdleWarps> idle_;  ///< if warps one by one may come to those
  llvm::Value *busy_ = nullptr;      ///< at the end of the loop over warps: this one was not idle
  llvm::SetVector<llvm::BasicBlock *> blocks_;
  std::vector<Leave> leaves_;
};

}  // namespace hel::cc

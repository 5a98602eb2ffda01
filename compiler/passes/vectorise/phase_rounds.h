// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that runs a block's phases in rounds, from barrier to barrier. While all warps stand at the same place,
// which is most of the time, one call lets all of them run what comes next; else neighbours that do have the same ahead
// of them share a call. Internal to split_phases.
//
//   round ──► step: all at one place ──► one call ──► round
//     │                                      │ at several places now
//     └─────► scan: call by call ────────────┴──► again: those that go on before the barrier opens ──► round
#pragma once

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

class PhaseRounds {
public:
  /// `going_on`: the numbers of the phases that are run before the barrier opens (behind the end of a loop's round).
  PhaseRounds(llvm::Function &block, llvm::ArrayRef<llvm::Function *> phases, llvm::ArrayRef<uint32_t> going_on);

  /// void rounds(ptr launch, ptr block, i32 begin, i32 end, ptr state, i32 phase): runs the warps [begin, end), each
  /// from where PhaseState::kNext says that it begins: `phase` for all of them, or PhaseState::kSeveral.
  llvm::Function *write(const llvm::Twine &name);

private:
  llvm::BasicBlock *make(const char *name);
  llvm::Value *field(uint64_t offset, llvm::Value *warp = nullptr);
  llvm::Value *choose(llvm::Value *phase, llvm::Value *begin, llvm::Value *end, llvm::ArrayRef<uint32_t> phases);
  llvm::Value *write_turn(llvm::ArrayRef<uint32_t> phases);

  llvm::Function &block_;
  llvm::ArrayRef<llvm::Function *> phases_;
  llvm::ArrayRef<uint32_t> going_on_;
  llvm::IRBuilder<> builder_;
  llvm::Function *made_ = nullptr;
};

}  // namespace hel::cc

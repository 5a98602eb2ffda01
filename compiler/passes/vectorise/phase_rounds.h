// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that runs a block's phases in rounds, from barrier to barrier. While all warps stand at the same place,
// which is most of the time, one call lets all of them run what comes next, and what may follow each phase is known;
// else neighbours that do have the same ahead of them share a call. Internal to split_phases.
//
//   step 0 ──► open 1 ──► step 1 ──► … ──► end       all at one place: a call each
//     │ at several places now
//     └──► again: those that go on before the barrier opens ──► round: call by call ──► again …
#pragma once

#include "compiler/passes/vectorise/phase_writer.h"

namespace hel::cc {

class PhaseRounds {
public:
  PhaseRounds(llvm::Function &block, llvm::ArrayRef<Phase> phases);

  /// void rounds(ptr launch, ptr block, i32 begin, i32 end, ptr state, i32 phase): runs the warps [begin, end), each
  /// from where PhaseState::kNext says that it begins: `phase` for all of them, or PhaseState::kSeveral.
  llvm::Function *write(const llvm::Twine &name);

private:
  using Wanted = llvm::function_ref<bool(const Phase &)>;
  llvm::BasicBlock *make(const llvm::Twine &name);
  llvm::Value *field(uint64_t offset);
  llvm::Value *run(const Phase &phase, llvm::Value *begin, llvm::Value *end);
  llvm::Value *choose(llvm::Value *phase, llvm::Value *begin, llvm::Value *end, Wanted wanted);
  llvm::Value *write_turn(Wanted wanted);
  void open_barrier();
  void write_steps(llvm::BasicBlock *entry);

  llvm::Function &block_;
  llvm::ArrayRef<Phase> phases_;
  bool votes_;
  llvm::IRBuilder<> builder_;
  llvm::Function *made_ = nullptr;
  llvm::BasicBlock *round_ = nullptr, *again_ = nullptr, *done_ = nullptr;
  llvm::PHINode *some_live_ = nullptr;  ///< in again_: warps that have not ended
};

}  // namespace hel::cc

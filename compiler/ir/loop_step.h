// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far the places that a loop reads lie apart from one turn to the next: for looking ahead.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace hel::cc {

/// Emits by how much `value` (an integer, or a pointer: then bytes) differs from one turn of the loop to the next, if
/// nothing wraps around, as an i64 that is the same in all turns. Null if it cannot be told.
llvm::Value *emit_loop_step(llvm::Value &value, const llvm::Loop &loop, llvm::IRBuilder<> &builder);

/// Emits prefetches of the `bytes` from `place` on.
void emit_prefetch(llvm::Value *place, uint64_t bytes, llvm::IRBuilder<> &builder);
bool is_prefetch(const llvm::Instruction &inst);

}  // namespace hel::cc

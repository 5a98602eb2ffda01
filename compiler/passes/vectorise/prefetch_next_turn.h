// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop around a barrier that reads memory tile by tile: each warp asks for what it will read in the next turn, and
// the memory has the time of a whole phase to bring it. Nobody else looks ahead: the rows of a tile lie far apart, and
// what a warp reads is in its registers only when all have come to the barrier. Internal to split_phases.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace hel::cc {

/// Adds prefetches to a warp function.
void prefetch_next_turn(llvm::Function &body, llvm::function_ref<bool(const llvm::CallBase &)> is_barrier);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// take_out_lane_loops: loops that are better run lane after lane, by scalar code, become functions of their own, which
// the widened kernel calls for each lane.
//
//      for (j = start[lane]; j < end[lane]; j++)            each lane has another number of turns, and in each turn
//        sum += value[j] * x[column[j]];                    reads where no other lane reads
//
// As vectors, such a loop runs until the lane with the most turns is through, and gathers from 32 places each time. A
// lane alone reads places that stand in a row, does no turn too many, and the processor runs ahead into the next lane.
//
// before:  preheader: … br %loop      loop: …      exit: %sum = phi [%next, %loop]
// after:   preheader: %sum = call @kernel.lane.loop(%start, %end, …) ; br %exit
// Only loops that do nothing but read memory and compute are taken, so that the order of the lanes cannot be seen.
// On entry: loops in simplified form, LCSSA.
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
}  // namespace llvm

namespace hel::cc {

llvm::SmallVector<llvm::Function *, 2> take_out_lane_loops(llvm::Function &kernel);

bool is_lane_loop(const llvm::Function &function);

/// Puts the loops into a widened body that calls them.
void inline_lane_loops(llvm::Function &body);

}  // namespace hel::cc

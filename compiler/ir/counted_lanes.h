// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks of so many first lanes, as at the end of a loop: what makes them, what splits what is read under them, and what
// makes loops of it agree on their forms here.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace hel::cc {

/// How many first lanes the mask has: the i32 in  bitcast (~(-1 << %count)) to <n x i1>, or null.
llvm::Value *count_in_bits(llvm::Value *mask);

/// How many first lanes the mask has: the integer in  icmp ugt <n x i32> (%count, %count, …), <0, 1, …>, or null.
llvm::Value *count_in_comparison(llvm::Value *mask);

/// For lanes `first` on, `lanes` of them: which are of the `count` first ones, by comparison.
llvm::Value *compare_lanes(llvm::IRBuilder<> &builder, llvm::Value *count, unsigned first, unsigned lanes);

/// Bits of the registers that a gather fills in code for the function's level; 0 where there is no such instruction.
unsigned gather_register_bits(const llvm::Function &function);

/// The branch leads into the turn of a loop's last lanes, which does under its mask what the loop's turns do with all
/// lanes; these step by `step`, which its index does not exceed the largest number with while any lane goes on.
void mark_last_turn(llvm::BranchInst &branch, uint64_t step);
/// The step of a loop whose last turn the branch leads into; 0 if it is none.
uint64_t last_turn_step(const llvm::BranchInst &branch);

}  // namespace hel::cc

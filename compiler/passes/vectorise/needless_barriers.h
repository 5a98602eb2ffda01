// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers that order nothing. The warps of a block run each phase in the order of their numbers (split_phases.h).
// Where only the first warp has touched memory since the barrier before, all that the others do behind the next one
// comes after it anyway:
//
//     if (threadIdx.x < 16) s[threadIdx.x] += s[threadIdx.x + 16];   only warp 0
//     __syncthreads();                                               goes: warp 0 is through before any other begins
//     if (threadIdx.x < 8) …
//
// Internal to split_phases.
#pragma once

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

/// Attribute of a warp function that runs all warps of its blocks, which have threads in x only.
inline constexpr char kOneRow[] = "hl.one.row";

/// In the place of __hl_barrier, with its arguments: such a barrier.
inline constexpr char kNeedless[] = "__hl_needless_barrier";

/// Only the first warp goes from `branch`, which is one of `body`, to its successor `way`, if any does.
bool is_way_of_first_warp(const llvm::BranchInst &branch, unsigned way, const llvm::Function &body);

bool is_needless_barrier(const llvm::Instruction &inst);

/// Marks such barriers of the warp function `body`, which has kOneRow.
void mark_needless_barriers(llvm::Function &body);

/// They are barriers again in functions whose warps do not run in phases.
void restore_needless_barriers(llvm::Module &module);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all warps of a block read first after a barrier is read once, before the first of them goes on.
#pragma once

namespace llvm {
class BasicBlock;
}

namespace hel::cc {

/// Moves loads that are the same in each turn of the loop over the warps, and that no write of a turn precedes, from
/// `each_warp`, its first block, and the blocks that always follow, to the end of `entry`, which leads to it. The first
/// turn must be taken whenever `entry` is run, or the warps of another loop read the same.
///
/// Warps may write what others have read: `block_sum(…)` whose warps all read the sum in shared memory when they
/// return, and that is called again at once, lacks a barrier. A GPU's warps have long read it when the first one writes
/// again.
void load_once_for_all_warps(llvm::BasicBlock &each_warp, llvm::BasicBlock &entry);

}  // namespace hel::cc

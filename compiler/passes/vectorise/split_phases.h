// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// split_phases: lets one call run all warps of a block whose warps meet at barriers, without an execution context for
// each of them.
//
// before:  k.block calls body(launch, block, warp, lanes) for each warp; body calls __hl_barrier where the warp waits
// after:   body is cut into phases, i32 body.phaseN(launch, block, begin, end, state): what each of the warps
//          [begin, end) does from the entry (N = 0) or from behind the Nth barrier until it comes to a barrier or ends.
//          k.block runs, in rounds, all warps that have not ended: each up to the next barrier.
//
//              round 1   phase0: warp 0, warp 1, … warp n         every warp stands at a barrier or has ended
//              round 2   phase1: warp 0, …; phase2: warp 5, …     warps may stand at different calls
//
// Warps that stand at the end of a round (kRound), or that part (partings.h), go on before a barrier opens.
// What lives across a barrier is kept in the warp's frame, in the frame of k.block. A warp that has ended counts as
// arrived, at every barrier.
// On entry: the functions that widen_kernels wrote. Kernels that wait in other ways as well (loops that yield, barriers
// for a part of the block or the grid), or whose phases would be too large, are left alone: their warps keep contexts
// of their own. On exit: the kernel's flags say which holds (abi::kKernelWarpsMeet or abi::kKernelPhases). Follows the
// loop fission of barriers in Stratton et al., "MCUDA" (LCPC 2008) and Moses et al., "Polygeist" (PPoPP 2023).
#pragma once

#include "compiler/ir/compilation.h"

namespace llvm {
class BasicBlock;
class Instruction;
}  // namespace llvm

namespace hel::cc {

/// void(): the end of a round of a loop, where a warp stops so that the others can do the same round; a phase ends here
/// as at a barrier, but nothing is waited for. None is left behind this stage.
inline constexpr char kRound[] = "__hl_round";
bool is_round(const llvm::Instruction &inst);
bool ends_round(const llvm::BasicBlock *block);

/// Attribute of a warp function that has atomics on shared memory, which are plain reads and writes there: the order in
/// which warps read and write counts.
inline constexpr char kSharedAtomics[] = "hl.shared.atomics";

Result<void> split_phases(llvm::Module &module, Compilation &compilation);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches at which the warps of a block may part, but seldom do: guards (`i < n`) and the ends of loops in steps of
// the block, which all warps but those at the end of the data pass alike. Warps that run jointly ask there whether they
// still go the same way; where they do not, each goes on alone. Internal to split_phases.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace llvm {
class BasicBlock;
class CallInst;
class Function;
class Instruction;
}  // namespace llvm

namespace hel::cc {

/// void(): the mark of a parting. None is left behind split_phases.
inline constexpr char kParting[] = "__hl_parting";

/// Puts a mark before each such branch of `body`, as the last thing in its block; none if there are too many, or if
/// joint execution would not pay. Sums and the like that loops carry are what it is for.
std::vector<llvm::CallInst *> mark_partings(llvm::Function &body, llvm::ArrayRef<llvm::CallInst *> barriers);

bool is_parting(const llvm::Instruction &inst);

/// A vector of numbers that a loop changes in each turn.
bool is_carried(const llvm::Instruction &inst);

}  // namespace hel::cc

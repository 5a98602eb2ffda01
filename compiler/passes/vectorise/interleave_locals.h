// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// interleave_locals: local arrays of a kernel that is about to be widened stand element by element, not lane by lane.
//
//      a[0] of lanes 0 … 31 | a[1] of lanes 0 … 31 | …
//
// so that lanes that use the same index are neighbours in memory. The array becomes a variable of the whole warp (see
// is_of_whole_warp), and a lane's part of it starts at its number. Arrays whose address leaves the kernel's own loads
// and stores, or that are accessed in pieces of different sizes, stay as they are.
#pragma once

namespace llvm {
class AllocaInst;
class Function;
}  // namespace llvm

namespace hel::cc {

void interleave_locals(llvm::Function &kernel);

/// One variable for all lanes of a warp.
bool is_of_whole_warp(const llvm::AllocaInst &alloca);

}  // namespace hel::cc

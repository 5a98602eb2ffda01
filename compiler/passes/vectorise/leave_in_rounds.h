// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// leave_in_rounds: in a loop whose lanes wait for other blocks and vote in each round, what a lane does once it has
// left becomes part of the round in which it leaves, up to where all lanes of its warp come together again.
//
//      for (j = block - 1; ; j--) {                   for (j = block - 1; ; j--) {
//        do v = seen[j]; while (!v);                    do v = seen[j]; while (!v);
//        lanes = ballot(lanes, !last(v));               lanes = ballot(lanes, !last(v));
//        if (last(v)) break;                  ──►       if (last(v)) { seen[block] = sum; break; }
//      }                                              }
//      seen[block] = sum;                             __syncthreads();
//      __syncthreads();
//
// Lanes that have left a loop stand still until the others have left it too, so what they have still to do is done
// before anybody waits again. Lanes that come there without the loop do it before the others come to the loop, in a
// copy. Where lanes do not meet in the loop, take_out_waiting_steps does without this.
#pragma once

namespace llvm {
class BasicBlock;
class Function;
class Loop;
template <typename T> class ArrayRef;
}  // namespace llvm

namespace hel::cc {

/// Moves `behind`, all that lanes may run that have left `loop` before they stand still, into the rounds of the loop.
/// The kernel's loops have to be simplified again. False, and nothing changed, if this loop is not.
bool leave_in_rounds(llvm::Function &kernel, const llvm::Loop &loop, llvm::ArrayRef<llvm::BasicBlock *> behind);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// take_out_waiting_steps: where lanes of one warp may wait for each other, what they do there becomes a function that
// the lanes call one after the other: a step, which ends where the lane has to wait.
//
//      while (atomicCAS(lock, 0, 1) != 0) {}        do
//      count++;                               ──►     waits = step(&where)   // from where the last step ended
//      atomicExch(lock, 0);                         while (waits);           // yields to the other warps
//
// A lane that waits leaves the step, and the next one comes; so whatever the lane waits for, another lane can do it.
// For that to be true the function takes in all that a lane can do, after it or a lane of its warp has waited, up to
// where all lanes come together (a barrier, a warp function of all) or the end of the kernel: as far as others see it.
//
// before:  a loop with a call of __hl_yield, from which some lanes may be gone
// after:   steps: %end = call @kernel.step(%where, …); a switch over the ends; yield: call @__hl_yield(); br %steps
// On entry: as for LinearOrder. Afterwards loops and LCSSA have to be brought into form again.
#pragma once

#include "compiler/passes/vectorise/shape.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace llvm {
class Function;
}  // namespace llvm

namespace hel::cc {

/// The functions that were made, for blocks of this layout; `normalise` brings the kernel into the form that is
/// expected on entry. What cannot be taken out is left in the kernel, which is no use then: `refusal` says so.
llvm::SmallVector<llvm::Function *, 2> take_out_waiting_steps(llvm::Function &kernel, LaneLayout layout,
                                                              llvm::function_ref<void()> normalise,
                                                              std::string &refusal);

}  // namespace hel::cc

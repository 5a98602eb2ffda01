// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// join_meetings: where all lanes of a warp act together, some by the warp function (or the barrier) on one side of a
// branch and some by that on the other, there is one to which both sides come.
//
//          d                          d
//        /   \                      /   \                    The lanes go back to their sides after it; a side with
//   x = shfl  y = shfl     ──►     a     b                   several of them comes to as many.
//    (all, a)  (all, b)             \   /
//        \   /                  shfl(all, phi a b)
//          j                        /   \                    .
//
// before:  a divergent branch from which all ways come to the same warp functions in the same order, and then together
// after:   as many calls as one of the ways had
// On entry: as for LinearOrder. Afterwards loops and LCSSA have to be brought into form again.
#pragma once

#include "compiler/passes/vectorise/shape.h"

namespace llvm {
class Function;
}

namespace hel::cc {

enum class Joined { OfSomeLanes, OfAnyLanes };

/// True if there was such a branch, in blocks of this layout. OfSomeLanes: only where a warp function names other lanes
/// than all.
bool join_meetings(llvm::Function &kernel, LaneLayout layout, Joined which);

}  // namespace hel::cc

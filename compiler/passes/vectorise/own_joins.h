// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// give_own_joins: the sides of a branch come together in a block of their own before they join other ways, so that what
// they have alike stays the same for all lanes where the branch is divergent.
//
//        d       e             d       e
//       / \      |            / \      |       x is taken from d and a alike, and another one from e: the phi
//      a   |     |    ──►    a   |     |       in j would be a lane's own, though no lanes part at j
//       \  |    /             \ /      |
//         j: phi x             m ── j: phi x
#pragma once

namespace llvm {
class Function;
}

namespace hel::cc {

/// On entry: no switch.
void give_own_joins(llvm::Function &kernel);

}  // namespace hel::cc

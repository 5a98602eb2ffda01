// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM's trees of dominators and of post-dominators tell of a block.
#pragma once

#include "llvm/IR/Dominators.h"

namespace hel::cc {

/// Of dominators: the last block that all ways to `block` pass. Of post-dominators: the first one that all ways from it
/// come to. Null if there is none.
template <typename Tree> llvm::BasicBlock *immediate_dominator(const Tree &tree, const llvm::BasicBlock *block) {
  const llvm::DomTreeNode *node = tree.getNode(block), *next = node != nullptr ? node->getIDom() : nullptr;
  return next != nullptr ? next->getBlock() : nullptr;
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/compare_counted_lanes.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/PatternMatch.h"

namespace hel::cc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// A mask that crosses blocks is kept as bytes, so that each block compares again.
void compare_where_used(Instruction &mask, Value *count) {
  DenseMap<BasicBlock *, Value *> made;
  auto *type = cast<FixedVectorType>(mask.getType());
  for (Use &use : make_early_inc_range(mask.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *block = phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
    Value *&compared = made[block];
    if (compared == nullptr) {
      IRBuilder<> builder(block->getContext());
      block == mask.getParent() ? builder.SetInsertPoint(&mask) : builder.SetInsertPoint(block->getFirstInsertionPt());
      SmallVector<Constant *, 64> lanes;
      for (unsigned lane = 0; lane < type->getNumElements(); lane++) {
        lanes.push_back(ConstantInt::get(count->getType(), lane));
      }
      Value *all = builder.CreateVectorSplat(type->getNumElements(), count);
      compared = builder.CreateICmpUGT(all, ConstantVector::get(lanes));
    }
    use.set(compared);
  }
}

}  // namespace

Result<void> compare_counted_lanes(Module &module, Compilation &) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.getFnAttribute("target-cpu").getValueAsString() == "x86-64-v4") {
      continue;
    }
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      Value *count = nullptr;
      if (inst.getType()->isVectorTy() && match(&inst, m_BitCast(m_Not(m_Shl(m_AllOnes(), m_Value(count)))))) {
        compare_where_used(inst, count);
        inst.eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc

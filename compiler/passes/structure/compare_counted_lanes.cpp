// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/compare_counted_lanes.h"

#include "compiler/ir/counted_lanes.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/Transforms/Utils/Local.h"

namespace hel::cc {
namespace {

using namespace llvm;

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
      compared = compare_lanes(builder, count, 0, type->getNumElements());
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
    SmallVector<WeakTrackingVH, 16> compared;
    for (Instruction &inst : instructions(function)) {
      if (Value *count = count_in_bits(&inst)) {
        compare_where_used(inst, count);
        compared.push_back(&inst);
      }
    }
    RecursivelyDeleteTriviallyDeadInstructions(compared);
  }
  return {};
}

}  // namespace hel::cc

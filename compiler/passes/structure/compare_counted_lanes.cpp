// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/compare_counted_lanes.h"

#include "compiler/ir/counted_lanes.h"
#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace hel::cc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// The lanes whose bits are set in `bits`.
Value *compare_bits(IRBuilder<> &builder, Value *bits, unsigned lanes) {
  SmallVector<Constant *, 32> each;
  for (unsigned lane = 0; lane < lanes; lane++) {
    each.push_back(ConstantInt::get(builder.getInt32Ty(), 1u << lane));
  }
  Value *all = builder.CreateVectorSplat(lanes, builder.CreateZExt(bits, builder.getInt32Ty()));
  Value *own = ConstantVector::get(each);
  return builder.CreateICmpEQ(builder.CreateAnd(all, own), own);
}

/// The number that `mask` has as its bits, in a register or from memory; or null.
Value *bits_of(Instruction &mask) {
  Value *bits = nullptr;
  auto *load = dyn_cast<LoadInst>(&mask);
  if (load == nullptr || !load->isSimple()) {
    return match(&mask, m_BitCast(m_Value(bits))) && bits->getType()->isIntegerTy() ? bits : nullptr;
  }
  IRBuilder<> builder(load);
  Type *type = builder.getIntNTy(cast<FixedVectorType>(mask.getType())->getNumElements());
  LoadInst *number = builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
  number->copyMetadata(*load, {LLVMContext::MD_invariant_load, LLVMContext::MD_noalias, LLVMContext::MD_alias_scope});
  return number;
}

/// A mask that crosses blocks is kept as bytes, so that each block compares again.
void compare_where_used(Instruction &mask, function_ref<Value *(IRBuilder<> &)> compare) {
  DenseMap<BasicBlock *, Value *> made;
  for (Use &use : make_early_inc_range(mask.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *block = phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
    Value *&compared = made[block];
    if (compared == nullptr) {
      IRBuilder<> builder(block->getContext());
      block == mask.getParent() ? builder.SetInsertPoint(&mask) : builder.SetInsertPoint(block->getFirstInsertionPt());
      compared = compare(builder);
    }
    use.set(compared);
  }
}

/// False if the mask stays what it is.
bool compare_mask(Instruction &mask, unsigned lanes) {
  if (Value *count = count_in_bits(&mask)) {
    compare_where_used(mask, [&](IRBuilder<> &builder) { return compare_lanes(builder, count, 0, lanes); });
    return true;
  }
  Value *bits = lanes == 8 || lanes == 16 || lanes == 32 ? bits_of(mask) : nullptr;
  if (bits != nullptr) {
    compare_where_used(mask, [&](IRBuilder<> &builder) { return compare_bits(builder, bits, lanes); });
  }
  return bits != nullptr;
}

}  // namespace

Result<void> compare_counted_lanes(Module &module, Compilation &) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.getFnAttribute("target-cpu").getValueAsString() == "x86-64-v4") {
      continue;
    }
    SmallVector<WeakTrackingVH, 16> compared;
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *type = dyn_cast<FixedVectorType>(inst.getType());
      if (type != nullptr && type->getElementType()->isIntegerTy(1) && compare_mask(inst, type->getNumElements())) {
        compared.push_back(&inst);
      }
    }
    RecursivelyDeleteTriviallyDeadInstructions(compared);
  }
  return {};
}

}  // namespace hel::cc

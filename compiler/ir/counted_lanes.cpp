// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/counted_lanes.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr char kLastTurn[] = "hl.last_turn";

SmallVector<Constant *, 64> numbers_of_lanes(Type *type, unsigned first, unsigned lanes) {
  SmallVector<Constant *, 64> numbers;
  for (unsigned lane = first; lane < first + lanes; lane++) {
    numbers.push_back(ConstantInt::get(type, lane));
  }
  return numbers;
}

}  // namespace

Value *count_in_bits(Value *mask) {
  Value *count = nullptr;
  const bool matches =
      mask->getType()->isVectorTy() && match(mask, m_BitCast(m_Not(m_Shl(m_AllOnes(), m_Value(count)))));
  return matches ? count : nullptr;
}

Value *count_in_comparison(Value *mask) {
  Value *all = nullptr;
  Constant *lanes = nullptr;
  if (!match(mask, m_SpecificICmp(CmpInst::ICMP_UGT, m_Value(all), m_Constant(lanes))) ||
      !isa<FixedVectorType>(lanes->getType())) {
    return nullptr;
  }
  auto *type = cast<FixedVectorType>(lanes->getType());
  const bool in_order =
      lanes == ConstantVector::get(numbers_of_lanes(type->getElementType(), 0, type->getNumElements()));
  return in_order ? getSplatValue(all) : nullptr;
}

Value *compare_lanes(IRBuilder<> &builder, Value *count, unsigned first, unsigned lanes) {
  Constant *numbers = ConstantVector::get(numbers_of_lanes(count->getType(), first, lanes));
  return builder.CreateICmpUGT(builder.CreateVectorSplat(lanes, count), numbers);
}

unsigned gather_register_bits(const Function &function) {
  const StringRef level = function.getFnAttribute("target-cpu").getValueAsString();
  return level == "x86-64-v4" ? 512 : level == "x86-64-v3" ? 256 : 0;
}

void mark_last_turn(BranchInst &branch, uint64_t step) {
  Metadata *number = ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(branch.getContext()), step));
  branch.setMetadata(kLastTurn, MDNode::get(branch.getContext(), number));
}

uint64_t last_turn_step(const BranchInst &branch) {
  const MDNode *mark = branch.getMetadata(kLastTurn);
  return mark != nullptr ? mdconst::extract<ConstantInt>(mark->getOperand(0))->getZExtValue() : 0;
}

}  // namespace hel::cc

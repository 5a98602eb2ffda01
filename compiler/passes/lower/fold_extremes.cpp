// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/fold_extremes.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hel::cc {
namespace {

using namespace llvm;

/// The call of maximumnum or minimumnum, or null.
IntrinsicInst *as_extreme(Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  bool is = call != nullptr &&
            (call->getIntrinsicID() == Intrinsic::maximumnum || call->getIntrinsicID() == Intrinsic::minimumnum);
  return is ? call : nullptr;
}

bool is_number(const Constant *constant) {
  if (const auto *number = dyn_cast<ConstantFP>(constant)) {
    return !number->isNaN();
  }
  auto *vector = dyn_cast<FixedVectorType>(constant->getType());
  for (unsigned i = 0; vector != nullptr && i < vector->getNumElements(); i++) {
    const Constant *element = constant->getAggregateElement(i);
    const auto *number = dyn_cast_or_null<ConstantFP>(element);
    if (element == nullptr || (!isa<PoisonValue>(element) && (number == nullptr || number->isNaN()))) {
      return false;
    }
  }
  return vector != nullptr || isa<PoisonValue>(constant);
}

/// The values of a function that are never NaN because of where they come from; those of loops hold each other up.
class Numbers {
public:
  explicit Numbers(Function &function) {
    SmallVector<Instruction *, 64> doubtful;
    for (Instruction &inst : instructions(function)) {
      if (inst.getType()->isFPOrFPVectorTy()) {
        numbers_.insert(&inst);
        doubtful.push_back(&inst);
      }
    }
    while (!doubtful.empty()) {
      Instruction *inst = doubtful.pop_back_val();
      if (numbers_.contains(inst) && !follows(*inst)) {
        numbers_.erase(inst);
        for (User *user : inst->users()) {
          doubtful.push_back(cast<Instruction>(user));
        }
      }
    }
  }

  bool contains(const Value *value) const {
    const auto *constant = dyn_cast<Constant>(value);
    return constant != nullptr ? is_number(constant) : numbers_.contains(value);
  }

private:
  /// If the numbers so far are numbers, this is one.
  bool follows(Instruction &inst) const {
    auto known = [&](const Use &use) { return contains(use.get()); };
    switch (inst.getOpcode()) {
      case Instruction::PHI:
        return all_of(inst.operands(), known);
      case Instruction::Select:
        return contains(inst.getOperand(1)) && contains(inst.getOperand(2));
      case Instruction::ShuffleVector:
      case Instruction::InsertElement:
        return contains(inst.getOperand(0)) && contains(inst.getOperand(1));
      case Instruction::ExtractElement:
      case Instruction::FNeg:
      case Instruction::FPExt:
      case Instruction::FPTrunc:
        return contains(inst.getOperand(0));
      case Instruction::SIToFP:
      case Instruction::UIToFP:
        return true;
      default:
        return as_extreme(&inst) != nullptr && (contains(inst.getOperand(0)) || contains(inst.getOperand(1)));
    }
  }

  DenseSet<const Value *> numbers_;
};

/// What the call finds of `x` and of `number`, which is not NaN.
Value *fold(IRBuilder<> &builder, const IntrinsicInst &call, Value *x, Value *number, bool has_masks) {
  bool is_max = call.getIntrinsicID() == Intrinsic::maximumnum;
  Value *before = is_max ? builder.CreateFCmpOGT(x, number) : builder.CreateFCmpOLT(x, number);
  Value *extreme = builder.CreateSelect(before, x, number);
  if (call.hasNoSignedZeros()) {
    return extreme;
  }
  auto *type = cast<FixedVectorType>(x->getType());
  Type *bits = VectorType::getInteger(type);
  Value *x_bits = builder.CreateBitCast(x, bits), *extreme_bits = builder.CreateBitCast(extreme, bits);
  if (has_masks) {
    Value *both = is_max ? builder.CreateAnd(extreme_bits, x_bits) : builder.CreateOr(extreme_bits, x_bits);
    return builder.CreateSelect(builder.CreateFCmpOEQ(x, number), builder.CreateBitCast(both, type), extreme);
  }
  if (is_max) {
    Value *differ = builder.CreateSExt(builder.CreateFCmpUNE(x, number), bits);
    return builder.CreateBitCast(builder.CreateAnd(extreme_bits, builder.CreateOr(x_bits, differ)), type);
  }
  Value *equal = builder.CreateSExt(builder.CreateFCmpOEQ(x, number), bits);
  return builder.CreateBitCast(builder.CreateOr(extreme_bits, builder.CreateAnd(x_bits, equal)), type);
}

void fold_in(Function &function) {
  SmallVector<IntrinsicInst *, 16> extremes;
  for (Instruction &inst : instructions(function)) {
    IntrinsicInst *call = as_extreme(&inst);
    Type *element = inst.getType()->getScalarType();
    if (call != nullptr && isa<FixedVectorType>(inst.getType()) && (element->isFloatTy() || element->isDoubleTy()) &&
        none_of(call->args(), [](const Use &use) { return isa<Constant>(use.get()); })) {
      extremes.push_back(call);
    }
  }
  if (extremes.empty()) {
    return;
  }
  const Numbers numbers(function);
  SmallVector<std::pair<IntrinsicInst *, unsigned>, 16> known;  // and which argument is a number
  for (IntrinsicInst *call : extremes) {
    for (unsigned i = 0; i < 2; i++) {
      if (numbers.contains(call->getArgOperand(i))) {
        known.emplace_back(call, i);
        break;
      }
    }
  }
  bool has_masks = function.getFnAttribute("target-cpu").getValueAsString() == "x86-64-v4";
  for (auto [call, i] : known) {
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(fold(builder, *call, call->getArgOperand(1 - i), call->getArgOperand(i), has_masks));
    call->eraseFromParent();
  }
}

}  // namespace

Result<void> fold_extremes(Module &module, Compilation &) {
  for (Function &function : module) {
    if (!function.isDeclaration()) {
      fold_in(function);
    }
  }
  return {};
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/divide_in_floats.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"

#include <map>
#include <tuple>

namespace hel::cc {
namespace {

using namespace llvm;

/// Fewer lanes are as fast one by one.
constexpr unsigned kFewestLanes = 4;

bool is_wanted(const Instruction &inst) {
  auto *type = dyn_cast<FixedVectorType>(inst.getType());
  return inst.isIntDivRem() && type != nullptr && type->getNumElements() >= kFewestLanes &&
         type->getScalarSizeInBits() <= 32 && !isa<Constant>(inst.getOperand(1));
}

class Division {
public:
  explicit Division(BinaryOperator &inst)
      : builder_(&inst),
        a_(inst.getOperand(0)),
        b_(inst.getOperand(1)),
        type_(cast<FixedVectorType>(inst.getType())),
        signed_(inst.getOpcode() == Instruction::SDiv || inst.getOpcode() == Instruction::SRem) {
    Type *element = type_->getScalarSizeInBits() <= 16 ? builder_.getFloatTy() : builder_.getDoubleTy();
    floats_ = FixedVectorType::get(element, type_->getNumElements());
    // Processors convert signed numbers more easily.
    const SimplifyQuery query(inst.getDataLayout(), &inst);
    signed_ |= isKnownNonNegative(a_, query) && isKnownNonNegative(b_, query);
  }

  Value *quotient() {
    Value *a = to_floats(a_);
    if (Value *one = getSplatValue(b_)) {
      Value *divisor = signed_ ? builder_.CreateSIToFP(one, floats_->getElementType())
                               : builder_.CreateUIToFP(one, floats_->getElementType());
      Value *reciprocal = builder_.CreateFDiv(ConstantFP::get(floats_->getElementType(), 1), divisor);
      Value *half = ConstantFP::get(floats_, 0.5);
      Value *away = builder_.CreateFAdd(a, signed_ ? builder_.CreateCopySign(half, a) : half);
      return to_integers(builder_.CreateFMul(away, builder_.CreateVectorSplat(floats_->getNumElements(), reciprocal)));
    }
    return to_integers(builder_.CreateFDiv(a, to_floats(b_)));
  }

  Value *remainder(Value *quotient) { return builder_.CreateSub(a_, builder_.CreateMul(quotient, b_)); }

private:
  Value *to_floats(Value *value) {
    return signed_ ? builder_.CreateSIToFP(value, floats_) : builder_.CreateUIToFP(value, floats_);
  }
  Value *to_integers(Value *value) {
    return signed_ ? builder_.CreateFPToSI(value, type_) : builder_.CreateFPToUI(value, type_);
  }

  IRBuilder<> builder_;
  Value *a_, *b_;
  FixedVectorType *type_, *floats_;
  bool signed_;
};

}  // namespace

Result<void> divide_in_floats(Module &module, Compilation &) {
  for (Function &function : module) {
    for (BasicBlock &block : function) {
      // Quotient and remainder of the same numbers have one division.
      std::map<std::tuple<Value *, Value *, bool>, Value *> quotients;
      for (Instruction &inst : make_early_inc_range(block)) {
        if (!is_wanted(inst)) {
          continue;
        }
        auto &op = cast<BinaryOperator>(inst);
        const bool is_signed = op.getOpcode() == Instruction::SDiv || op.getOpcode() == Instruction::SRem;
        Division division(op);
        Value *&quotient = quotients[{op.getOperand(0), op.getOperand(1), is_signed}];
        if (quotient == nullptr) {
          quotient = division.quotient();
        }
        const bool is_remainder = op.getOpcode() == Instruction::SRem || op.getOpcode() == Instruction::URem;
        op.replaceAllUsesWith(is_remainder ? division.remainder(quotient) : quotient);
        op.eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc

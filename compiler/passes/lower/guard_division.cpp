// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/guard_division.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

/// True when the divisor is a constant that is neither 0 nor -1 (in any lane).
bool is_harmless(llvm::Value *divisor) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(divisor);
  if (!constant) {
    return false;
  }
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(constant->getType())) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::Constant *lane = constant->getAggregateElement(i);
      if (!lane || !is_harmless(lane)) {
        return false;
      }
    }
    return true;
  }
  auto *number = llvm::dyn_cast<llvm::ConstantInt>(constant);
  return number && !number->isZero() && !number->isMinusOne();
}

void guard(llvm::BinaryOperator &op) {
  llvm::IRBuilder<> builder(&op);
  llvm::Value *a = op.getOperand(0);
  llvm::Value *b = op.getOperand(1);
  llvm::Type *type = op.getType();
  llvm::Value *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *ones = llvm::Constant::getAllOnesValue(type);
  bool is_signed = op.getOpcode() == llvm::Instruction::SDiv || op.getOpcode() == llvm::Instruction::SRem;
  bool is_quotient = op.getOpcode() == llvm::Instruction::SDiv || op.getOpcode() == llvm::Instruction::UDiv;

  llvm::Value *zero_divisor = builder.CreateIsNull(b);
  llvm::Value *negating = is_signed ? builder.CreateICmpEQ(b, ones) : nullptr;
  llvm::Value *replace = is_signed ? builder.CreateOr(zero_divisor, negating) : zero_divisor;
  llvm::Value *divisor = builder.CreateSelect(replace, one, b);
  llvm::Value *result = builder.CreateBinOp(op.getOpcode(), a, divisor);
  if (auto *exact = llvm::dyn_cast<llvm::BinaryOperator>(result); exact && is_quotient) {
    exact->setIsExact(op.isExact());
  }
  if (is_quotient && is_signed) {
    result = builder.CreateSelect(negating, builder.CreateNeg(a), result);
  }
  result = builder.CreateSelect(zero_divisor, ones, result);
  op.replaceAllUsesWith(result);
  op.eraseFromParent();
}

}  // namespace

Result<void> guard_division(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&inst);
      if (op && op->isIntDivRem() && !is_harmless(op->getOperand(1))) {
        guard(*op);
      }
    }
  }
  return {};
}

}  // namespace hel::cc

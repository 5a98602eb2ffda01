// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/contract_products.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

/// A product that may be fused into its only use; null for anything else.
llvm::BinaryOperator *product(llvm::Value *value) {
  auto *op = llvm::dyn_cast<llvm::BinaryOperator>(value);
  return op && op->getOpcode() == llvm::Instruction::FMul && op->hasAllowContract() && op->hasOneUse() ? op : nullptr;
}

bool is_single_or_double(const llvm::Type *type) {
  return type->getScalarType()->isFloatTy() || type->getScalarType()->isDoubleTy();
}

/// Replaces a sum or difference of a product by llvm.fma.
void fuse(llvm::BinaryOperator &sum) {
  bool minus = sum.getOpcode() == llvm::Instruction::FSub;
  llvm::Value *left = sum.getOperand(0), *right = sum.getOperand(1);
  llvm::BinaryOperator *fused = product(left);
  bool right_is_product = !fused;
  if (!fused && !(fused = product(right))) {
    return;
  }
  llvm::IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  llvm::Value *a = fused->getOperand(0), *b = fused->getOperand(1), *c = right_is_product ? left : right;
  if (minus && right_is_product) {
    a = builder.CreateFNeg(a);
  } else if (minus) {
    c = builder.CreateFNeg(c);
  }
  llvm::Value *result = builder.CreateIntrinsic(llvm::Intrinsic::fma, {sum.getType()}, {a, b, c});
  result->takeName(&sum);
  sum.replaceAllUsesWith(result);
  sum.eraseFromParent();
  fused->eraseFromParent();
}

}  // namespace

Result<void> contract_products(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::BinaryOperator *, 32> sums;
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&inst);
      if (op && (op->getOpcode() == llvm::Instruction::FAdd || op->getOpcode() == llvm::Instruction::FSub) &&
          op->hasAllowContract() && is_single_or_double(op->getType())) {
        sums.push_back(op);
      }
    }
    for (llvm::BinaryOperator *sum : sums) {
      fuse(*sum);
    }
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (llvm::isa<llvm::FPMathOperator>(inst) && inst.hasAllowContract()) {
        inst.setHasAllowContract(false);
      }
    }
  }
  return {};
}

}  // namespace hel::cc

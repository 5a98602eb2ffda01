// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/clamp_shifts.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/ValueTracking.h"

namespace hel::cc {
namespace {

bool may_exceed_width(const llvm::BinaryOperator &op, const llvm::DataLayout &layout) {
  unsigned width = op.getType()->getScalarSizeInBits();
  return op.isShift() && (width == 32 || width == 64) &&
         llvm::computeKnownBits(op.getOperand(1), layout).getMaxValue().uge(width);
}

void clamp(llvm::BinaryOperator &op) {
  llvm::IRBuilder<> builder(&op);
  llvm::Value *a = op.getOperand(0), *n = op.getOperand(1);
  unsigned width = op.getType()->getScalarSizeInBits();
  if (op.getOpcode() == llvm::Instruction::AShr) {
    llvm::Value *most = llvm::ConstantInt::get(n->getType(), width - 1);
    op.setOperand(1, builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, n, most));
    return;
  }
  llvm::Value *is_inside = builder.CreateICmpULT(n, llvm::ConstantInt::get(n->getType(), width));
  llvm::Value *shifted = builder.CreateBinOp(op.getOpcode(), a, n);
  llvm::Value *result = builder.CreateSelect(is_inside, shifted, llvm::Constant::getNullValue(op.getType()));
  op.replaceAllUsesWith(result);
  op.eraseFromParent();
}

}  // namespace

Result<void> clamp_shifts(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    if (function.getName().starts_with("__hl_")) {
      continue;
    }
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *op = llvm::dyn_cast<llvm::BinaryOperator>(&inst);
      if (op && may_exceed_width(*op, module.getDataLayout())) {
        clamp(*op);
      }
    }
  }
  return {};
}

}  // namespace hel::cc

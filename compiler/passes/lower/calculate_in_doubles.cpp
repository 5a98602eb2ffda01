// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/calculate_in_doubles.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

bool is_long(const llvm::Value *value) { return value->getType()->isX86_FP80Ty(); }

bool is_calculation(const llvm::Instruction &inst) {
  return inst.isBinaryOp() || inst.isUnaryOp() || llvm::isa<llvm::FCmpInst>(inst) ||
         llvm::isa<llvm::IntrinsicInst>(inst) || llvm::isa<llvm::SIToFPInst>(inst) ||
         llvm::isa<llvm::UIToFPInst>(inst) || llvm::isa<llvm::FPToSIInst>(inst) || llvm::isa<llvm::FPToUIInst>(inst);
}

/// The same operation with double in the place of long double. Intrinsics that only know their type by overload have a
/// form for it.
llvm::Value *in_doubles(llvm::Instruction &inst, llvm::IRBuilder<> &builder) {
  llvm::SmallVector<llvm::Value *, 4> operands;
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&inst);
  for (unsigned i = 0; i < (intrinsic ? intrinsic->arg_size() : inst.getNumOperands()); ++i) {
    llvm::Value *operand = inst.getOperand(i);
    operands.push_back(is_long(operand) ? builder.CreateFPTrunc(operand, builder.getDoubleTy()) : operand);
  }
  llvm::Type *result = is_long(&inst) ? builder.getDoubleTy() : inst.getType();
  if (intrinsic) {
    return builder.CreateIntrinsic(result, intrinsic->getIntrinsicID(), operands);
  }
  llvm::Instruction *copy = inst.clone();
  for (unsigned i = 0; i < operands.size(); ++i) {
    copy->setOperand(i, operands[i]);
  }
  copy->mutateType(result);
  return builder.Insert(copy);
}

void replace(llvm::Instruction &inst) {
  llvm::IRBuilder<> builder(&inst);
  llvm::Value *narrow = in_doubles(inst, builder);
  inst.replaceAllUsesWith(is_long(&inst) ? builder.CreateFPExt(narrow, inst.getType()) : narrow);
  inst.eraseFromParent();
}

void round_loaded(llvm::LoadInst &load) {
  llvm::IRBuilder<> builder(load.getNextNode());
  auto *narrow = llvm::cast<llvm::Instruction>(builder.CreateFPTrunc(&load, builder.getDoubleTy()));
  llvm::Value *rounded = builder.CreateFPExt(narrow, load.getType());
  load.replaceUsesWithIf(rounded, [&](llvm::Use &use) { return use.getUser() != narrow; });
}

}  // namespace

Result<void> calculate_in_doubles(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::Instruction *, 16> calculations;
    llvm::SmallVector<llvm::LoadInst *, 16> loads;
    for (llvm::Instruction &inst : llvm::instructions(function)) {
      if (is_calculation(inst) && (is_long(&inst) || llvm::any_of(inst.operands(), is_long))) {
        calculations.push_back(&inst);
      } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst); load && is_long(load)) {
        loads.push_back(load);
      }
    }
    for (llvm::Instruction *inst : calculations) {
      replace(*inst);
    }
    for (llvm::LoadInst *load : loads) {
      round_loaded(*load);
    }
  }
  return {};
}

}  // namespace hel::cc

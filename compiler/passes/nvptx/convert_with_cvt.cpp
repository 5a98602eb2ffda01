// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/convert_with_cvt.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace hel::cc {
namespace {

llvm::Intrinsic::ID conversion(bool from_double, bool to_64, bool is_signed) {
  using namespace llvm::Intrinsic;
  if (from_double) {
    return to_64 ? (is_signed ? nvvm_d2ll_rz : nvvm_d2ull_rz) : (is_signed ? nvvm_d2i_rz : nvvm_d2ui_rz);
  }
  return to_64 ? (is_signed ? nvvm_f2ll_rz : nvvm_f2ull_rz) : (is_signed ? nvvm_f2i_rz : nvvm_f2ui_rz);
}

/// Null where there is no instruction (wider integers, vectors).
llvm::Value *emit(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Type *type, bool is_signed) {
  unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  if (bits == 0 || bits > 64) {
    return nullptr;
  }
  if (value->getType()->isHalfTy() || value->getType()->isBFloatTy()) {
    value = builder.CreateFPExt(value, builder.getFloatTy());
  }
  bool is_wide = bits > 32;
  llvm::Intrinsic::ID id = conversion(value->getType()->isDoubleTy(), is_wide, is_signed);
  return builder.CreateTrunc(builder.CreateIntrinsic(id, {}, {value}), type);
}

}  // namespace

Result<void> convert_with_cvt(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(inst)) {
        continue;
      }
      llvm::IRBuilder<> builder(&inst);
      bool is_signed = llvm::isa<llvm::FPToSIInst>(inst);
      if (llvm::Value *value = emit(builder, inst.getOperand(0), inst.getType(), is_signed)) {
        inst.replaceAllUsesWith(value);
        inst.eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc

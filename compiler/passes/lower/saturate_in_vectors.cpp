// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/saturate_in_vectors.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/IntrinsicInst.h"

#include <cmath>

namespace hel::cc {
namespace {

using namespace llvm;

bool is_wanted(const IntrinsicInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  if ((id != Intrinsic::fptosi_sat && id != Intrinsic::fptoui_sat) || !isa<FixedVectorType>(call.getType())) {
    return false;
  }
  Type *from = call.getArgOperand(0)->getType()->getScalarType();
  const unsigned bits = call.getType()->getScalarSizeInBits();
  return (from->isFloatTy() || from->isDoubleTy()) && (bits == 32 || bits == 64);
}

Value *saturate(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  const bool is_signed = call.getIntrinsicID() == Intrinsic::fptosi_sat;
  Type *type = call.getType();
  const unsigned bits = type->getScalarSizeInBits();
  Value *x = call.getArgOperand(0);
  // Both ends are powers of two, which the format holds.
  Value *low = ConstantFP::get(x->getType(), is_signed ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0.0);
  Value *end = ConstantFP::get(x->getType(), std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits)));
  Value *highest = ConstantInt::get(type, is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits));
  // What is no number becomes the lower end too: the machine's maximum takes its second operand then.
  Value *raised = builder.CreateSelect(builder.CreateFCmpOGT(x, low), x, low);
  Value *converted = is_signed ? builder.CreateFPToSI(raised, type) : builder.CreateFPToUI(raised, type);
  Value *clamped = builder.CreateSelect(builder.CreateFCmpOGE(raised, end), highest, converted);
  return is_signed ? builder.CreateSelect(builder.CreateFCmpORD(x, x), clamped, Constant::getNullValue(type)) : clamped;
}

}  // namespace

Result<void> saturate_in_vectors(Module &module, Compilation &) {
  for (Function &function : module) {
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&inst);
      if (call != nullptr && is_wanted(*call)) {
        call->replaceAllUsesWith(saturate(*call));
        call->eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/convert.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {

llvm::Value *emit_float_to_int(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Type *type, bool is_signed) {
  constexpr unsigned kSmallest = 32;
  unsigned bits = type->getScalarSizeInBits();
  if (bits < kSmallest) {
    llvm::Type *wide = type->getWithNewBitWidth(kSmallest);
    return builder.CreateTrunc(emit_float_to_int(builder, value, wide, is_signed), type);
  }
  llvm::Intrinsic::ID id = is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  llvm::Value *result = builder.CreateIntrinsic(id, {type, value->getType()}, {value});
  if (bits == kSmallest && !value->getType()->getScalarType()->isDoubleTy()) {
    return result;
  }
  llvm::Value *is_nan = builder.CreateFCmpUNO(value, value);
  llvm::Value *top_bit = llvm::ConstantInt::get(type, llvm::APInt::getSignMask(bits));
  return builder.CreateSelect(is_nan, top_bit, result);
}

}  // namespace hel::cc

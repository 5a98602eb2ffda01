// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/convert_wide_integers.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cmath>

namespace hel::cc {
namespace {

using llvm::Value;

constexpr unsigned kBits = 128;

/// 2^exponent, which is a normal number; `exponent` is an i32.
Value *power_of_two(llvm::IRBuilder<> &b, Value *exponent, llvm::Type *type) {
  const bool is_double = type->isDoubleTy();
  Value *biased =
      b.CreateZExt(b.CreateAdd(exponent, b.getInt32(is_double ? 1023 : 127)), b.getIntNTy(type->getScalarSizeInBits()));
  return b.CreateBitCast(b.CreateShl(biased, is_double ? 52 : 23), type);
}

Value *to_floating(llvm::IRBuilder<> &b, Value *x, llvm::Type *type, bool is_signed) {
  llvm::Type *wide = b.getIntNTy(kBits), *half = b.getInt64Ty();
  x = is_signed ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide);
  Value *zero = llvm::ConstantInt::get(wide, 0);
  Value *is_negative = is_signed ? b.CreateICmpSLT(x, zero) : b.getFalse();
  Value *size = b.CreateSelect(is_negative, b.CreateNeg(x), x);
  Value *shift = b.CreateIntrinsic(llvm::Intrinsic::ctlz, {wide}, {size, b.getFalse()});
  Value *is_zero = b.CreateICmpEQ(size, zero);
  Value *leading = b.CreateShl(size, b.CreateSelect(is_zero, zero, shift));
  Value *upper = b.CreateTrunc(b.CreateLShr(leading, 64), half), *lower = b.CreateTrunc(leading, half);
  Value *mantissa = b.CreateOr(upper, b.CreateZExt(b.CreateIsNotNull(lower), half));
  Value *scale = power_of_two(b, b.CreateSub(b.getInt32(64), b.CreateTrunc(shift, b.getInt32Ty())), type);
  Value *value = b.CreateFMul(b.CreateUIToFP(mantissa, type), scale);
  value = b.CreateSelect(is_zero, llvm::ConstantFP::get(type, 0.0), value);
  return b.CreateSelect(is_negative, b.CreateFNeg(value), value);
}

/// A double below 2^128 as its upper and lower 64 bits: both are exact.
Value *to_integer(llvm::IRBuilder<> &b, Value *x, llvm::IntegerType *type, bool is_signed) {
  llvm::Type *wide = b.getIntNTy(kBits), *number = b.getDoubleTy();
  x = b.CreateFPExt(x, number);
  auto constant = [&](double value) { return llvm::ConstantFP::get(number, value); };
  auto cut = [&](Value *value) { return b.CreateIntrinsic(llvm::Intrinsic::nvvm_d2ull_rz, {}, {value}); };
  Value *size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  Value *upper = cut(b.CreateFMul(size, constant(0x1p-64)));
  Value *rest = b.CreateFSub(size, b.CreateFMul(b.CreateUIToFP(upper, number), constant(0x1p64)));
  Value *value = b.CreateOr(b.CreateShl(b.CreateZExt(upper, wide), 64), b.CreateZExt(cut(rest), wide));
  value = b.CreateTrunc(value, type);
  Value *is_negative = b.CreateFCmpOLT(x, constant(0));
  const unsigned bits = type->getBitWidth();
  if (!is_signed) {
    Value *is_large = b.CreateFCmpOGE(x, constant(std::ldexp(1.0, static_cast<int>(bits))));
    value = b.CreateSelect(is_large, llvm::ConstantInt::get(type, llvm::APInt::getMaxValue(bits)), value);
    return b.CreateSelect(b.CreateFCmpOGT(x, constant(0)), value, llvm::ConstantInt::get(type, 0));
  }
  value = b.CreateSelect(is_negative, b.CreateNeg(value), value);
  const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
  value = b.CreateSelect(b.CreateFCmpOGE(x, constant(limit)),
                         llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits)), value);
  value = b.CreateSelect(b.CreateFCmpOLE(x, constant(-limit)),
                         llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits)), value);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), llvm::ConstantInt::get(type, 0), value);
}

bool is_wide(llvm::Type *type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 64 && type->getIntegerBitWidth() <= kBits;
}
bool is_plain(llvm::Type *type) { return type->isFloatTy() || type->isDoubleTy(); }

/// Null: not such a conversion.
Value *converted(llvm::Instruction &inst) {
  llvm::IRBuilder<> b(&inst);
  b.setFastMathFlags({});
  if (llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(inst) && is_wide(inst.getOperand(0)->getType()) &&
      is_plain(inst.getType())) {
    return to_floating(b, inst.getOperand(0), inst.getType(), llvm::isa<llvm::SIToFPInst>(inst));
  }
  if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(inst) && is_wide(inst.getType()) &&
      inst.getOperand(0)->getType()->isFloatingPointTy()) {
    return to_integer(b, inst.getOperand(0), llvm::cast<llvm::IntegerType>(inst.getType()),
                      llvm::isa<llvm::FPToSIInst>(inst));
  }
  return nullptr;
}

}  // namespace

Result<void> convert_wide_integers(llvm::Module &module, Compilation &) {
  for (llvm::Function &function : module) {
    for (llvm::Instruction &inst : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (Value *value = converted(inst)) {
        inst.replaceAllUsesWith(value);
        inst.eraseFromParent();
      }
    }
  }
  return {};
}

}  // namespace hel::cc

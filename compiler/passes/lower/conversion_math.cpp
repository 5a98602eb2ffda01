// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/convert.h"
#include "compiler/passes/lower/math_emitters.h"

namespace hel::cc {
namespace {

using llvm::CallInst;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

bool is_integer_letter(llvm::StringRef type) { return type == "i" || type == "ui" || type == "ll" || type == "ull"; }

Value *round_to_integral(Builder &b, Value *x, Rounding mode) {
  using namespace llvm::Intrinsic;
  constexpr ID kRound[] = {roundeven, trunc, floor, ceil};
  return b.CreateIntrinsic(kRound[static_cast<int>(mode)], {x->getType()}, {x});
}

/// Largest finite value in place of an infinity or overflow; NaN stays.
Value *clamp_to_finite(Builder &b, Value *wide, llvm::Type *narrow) {
  llvm::APFloat largest = llvm::APFloat::getLargest(narrow->getScalarType()->getFltSemantics());
  bool loses = false;
  largest.convert(wide->getType()->getScalarType()->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &loses);
  Value *high = llvm::ConstantFP::get(wide->getType(), largest);
  Value *low = b.CreateFNeg(high);
  Value *clamped = b.CreateSelect(b.CreateFCmpOGT(wide, high), high, wide);
  return b.CreateSelect(b.CreateFCmpOLT(clamped, low), low, clamped);
}

/// float to bfloat towards zero: the upper half of the bits.
Value *cut_to_bfloat(Builder &b, Value *x, llvm::Type *type) {
  Value *bits = b.CreateLShr(b.CreateBitCast(x, b.getInt32Ty()), b.getInt32(16));
  Value *cut = b.CreateBitCast(b.CreateTrunc(bits, b.getInt16Ty()), type);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), b.CreateFPTrunc(x, type), cut);
}

/// float to half or bfloat with the modifiers of cvt.
Value *narrow(const MathName &name, Builder &b, Value *x, llvm::Type *type) {
  if (name.ftz) {
    x = flush(b, x);
  }
  if (name.relu) {
    x = b.CreateSelect(b.CreateFCmpUGT(x, llvm::ConstantFP::get(x->getType(), 0.0)), x,
                       llvm::ConstantFP::get(x->getType(), 0.0));
  }
  if (name.satfinite) {
    x = clamp_to_finite(b, x, type);
  }
  if (name.rounding == Rounding::Zero && type->isBFloatTy()) {
    return cut_to_bfloat(b, x, type);
  }
  return emit_rounded(b, RoundedOp::Truncate, name.rounding, {x}, type);
}

/// f2bf16 f2f16 f2h, and the pairs ff2bf16x2 ff2f16x2 (the first operand becomes the upper half).
Value *to_small_float(const MathName &name, CallInst &call, Builder &b) {
  bool half = name.op == "f2f16" || name.op == "f2h" || name.op == "ff2f16x2";
  bool pair = name.op == "ff2f16x2" || name.op == "ff2bf16x2";
  llvm::Type *type = half ? b.getHalfTy() : b.getBFloatTy();
  if (!pair && name.op != "f2bf16" && name.op != "f2f16" && name.op != "f2h") {
    return nullptr;
  }
  if (!name.has_rounding) {
    return nullptr;  // stochastic rounding
  }
  Value *low = narrow(name, b, call.getArgOperand(pair ? 1 : 0), type);
  if (!pair) {
    return b.CreateBitCast(low, call.getType());
  }
  Value *high = narrow(name, b, call.getArgOperand(0), type);
  Value *both = llvm::PoisonValue::get(llvm::FixedVectorType::get(type, 2));
  both = b.CreateInsertElement(b.CreateInsertElement(both, low, uint64_t{0}), high, uint64_t{1});
  return b.CreateBitCast(both, call.getType());
}

/// To tf32, ties away from zero: 10 bits of fraction stay.
Value *to_tf32(const MathName &name, CallInst &call, Builder &b) {
  if (name.op != "f2tf32" || name.rest.size() != 1 || name.rest[0] != "rna" || name.satfinite) {
    return nullptr;
  }
  Value *x = call.getArgOperand(0);
  Value *bits = b.CreateBitCast(x, b.getInt32Ty());
  Value *rounded = b.CreateAnd(b.CreateAdd(bits, b.getInt32(0x1000)), b.getInt32(0xffffe000));
  Value *is_special = b.CreateICmpEQ(b.CreateAnd(bits, b.getInt32(0x7f800000)), b.getInt32(0x7f800000));
  return b.CreateSelect(is_special, bits, rounded);
}

/// d2i.hi d2i.lo lohi.i2d
Value *halves_of_double(const MathName &name, CallInst &call, Builder &b) {
  Value *x = call.getArgOperand(0);
  if (name.is("d2i", "hi") || name.is("d2i", "lo")) {
    Value *bits = b.CreateBitCast(x, b.getInt64Ty());
    return b.CreateTrunc(name.rest[0] == "hi" ? b.CreateLShr(bits, 32) : bits, b.getInt32Ty());
  }
  if (name.is("lohi", "i2d")) {
    Value *low = b.CreateZExt(x, b.getInt64Ty());
    Value *high = b.CreateShl(b.CreateZExt(call.getArgOperand(1), b.getInt64Ty()), 32);
    return b.CreateBitCast(b.CreateOr(low, high), b.getDoubleTy());
  }
  return nullptr;
}

}  // namespace

Value *emit_conversion(const MathName &name, CallInst &call, Builder &b) {
  if (call.arg_empty()) {
    return nullptr;
  }
  if (Value *value = halves_of_double(name, call, b)) {
    return value;
  }
  if (Value *value = to_small_float(name, call, b)) {
    return value;
  }
  if (Value *value = to_tf32(name, call, b)) {
    return value;
  }
  auto [from, to] = name.op.split('2');
  Value *x = call.getArgOperand(0);
  bool from_float = from == "d" || from == "f";
  if (from_float && is_integer_letter(to) && name.has_rounding) {
    Value *integral = round_to_integral(b, name.ftz ? flush(b, x) : x, name.rounding);
    return emit_float_to_int(b, integral, call.getType(), !to.starts_with("u"));
  }
  if (is_integer_letter(from) && (to == "f" || to == "d") && name.has_rounding) {
    return emit_rounded_int_to_float(b, x, call.getType(), !from.starts_with("u"), name.rounding);
  }
  if (from == "d" && to == "f") {
    Value *value = emit_rounded(b, RoundedOp::Truncate, name.rounding, {x}, call.getType());
    return name.ftz ? flush(b, value) : value;
  }
  if (from == "bf" && to == "h" && !name.satfinite) {
    Value *value = b.CreateFPExt(b.CreateBitCast(x, b.getBFloatTy()), b.getFloatTy());
    return b.CreateBitCast(b.CreateFPTrunc(value, b.getHalfTy()), call.getType());
  }
  return nullptr;
}

}  // namespace hel::cc

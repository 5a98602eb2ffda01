// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/math_emitters.h"

namespace hel::cc {
namespace {

using llvm::CallInst;
using llvm::Value;
using Builder = llvm::IRBuilder<>;

Value *unary(Builder &b, llvm::Intrinsic::ID id, Value *x) { return b.CreateIntrinsic(id, {x->getType()}, {x}); }
Value *binary(Builder &b, llvm::Intrinsic::ID id, Value *x, Value *y) {
  return b.CreateIntrinsic(id, {x->getType()}, {x, y});
}
Value *constant(Value *like, double value) { return llvm::ConstantFP::get(like->getType(), value); }

/// half and bfloat: through float, whose result rounds to theirs.
Value *in_float(Builder &b, llvm::Intrinsic::ID id, Value *x) {
  llvm::Type *scalar = x->getType()->getScalarType();
  if (!scalar->isHalfTy() && !scalar->isBFloatTy()) {
    return unary(b, id, x);
  }
  llvm::Type *wide = x->getType()->getWithNewType(b.getFloatTy());
  return b.CreateFPTrunc(unary(b, id, b.CreateFPExt(x, wide)), x->getType());
}

Value *clamp_to_one(Builder &b, Value *x) {
  Value *low = b.CreateSelect(b.CreateFCmpOGT(x, constant(x, 0)), x, constant(x, 0));  // NaN gives 0
  return b.CreateSelect(b.CreateFCmpOGT(low, constant(x, 1)), constant(x, 1), low);
}

Value *finish(const MathName &name, Builder &b, Value *x) {
  if (name.ftz) {
    x = flush(b, x);
  }
  if (name.relu) {
    x = b.CreateSelect(b.CreateFCmpUGT(x, constant(x, 0)), x, constant(x, 0));  // NaN stays
  }
  return name.sat ? clamp_to_one(b, x) : x;
}

Value *minmax(const MathName &name, Builder &b, Value *x, Value *y, bool is_max) {
  using namespace llvm::Intrinsic;
  ID id = name.nan ? (is_max ? maximum : minimum) : (is_max ? maximumnum : minimumnum);
  if (!name.xorsign) {
    return binary(b, id, x, y);
  }
  llvm::Type *bits = x->getType()->getWithNewType(b.getIntNTy(x->getType()->getScalarSizeInBits()));
  Value *sign = b.CreateXor(b.CreateBitCast(x, bits), b.CreateBitCast(y, bits));
  Value *magnitude = binary(b, id, unary(b, fabs, x), unary(b, fabs, y));
  return binary(b, copysign, magnitude, b.CreateBitCast(sign, x->getType()));
}

Value *arithmetic(const MathName &name, Builder &b, llvm::ArrayRef<Value *> x, llvm::Type *type) {
  if (name.op == "add") {
    return emit_rounded(b, RoundedOp::Add, name.rounding, x, type);
  }
  if (name.op == "mul") {
    return emit_rounded(b, RoundedOp::Mul, name.rounding, x, type);
  }
  if (name.op == "div") {
    return emit_rounded(b, RoundedOp::Div, name.rounding, x, type);
  }
  if (name.op == "sqrt") {
    return emit_rounded(b, RoundedOp::Sqrt, name.rounding, x, type);
  }
  if (name.op == "rcp") {
    return emit_rounded(b, RoundedOp::Div, name.rounding, {constant(x[0], 1), x[0]}, type);
  }
  if (name.op == "rsqrt") {
    return emit_reciprocal_root(b, x[0]);
  }
  if (name.op == "fma") {
    llvm::Type *scalar = type->getScalarType();
    return scalar->isHalfTy() || scalar->isBFloatTy() ? emit_small_fma(b, x[0], x[1], x[2])
                                                      : emit_rounded(b, RoundedOp::Fma, name.rounding, x, type);
  }
  if (name.op == "fmin" || name.op == "fmax") {
    return minmax(name, b, x[0], x[1], name.op == "fmax");
  }
  return nullptr;
}

Value *function_of_one(const MathName &name, Builder &b, Value *x) {
  using namespace llvm::Intrinsic;
  ID id = llvm::StringSwitch<ID>(name.op)
              .Case("sin", sin)
              .Case("cos", cos)
              .Case("tanh", tanh)
              .Case("ex2", exp2)
              .Case("lg2", log2)
              .Case("fabs", fabs)
              .Case("ceil", ceil)
              .Case("floor", floor)
              .Case("trunc", trunc)
              .Case("round", roundeven)
              .Default(not_intrinsic);
  if (id != not_intrinsic) {
    return in_float(b, id, x);
  }
  if (name.op == "neg") {
    return b.CreateFNeg(x);
  }
  return name.op == "saturate" ? clamp_to_one(b, x) : nullptr;
}

}  // namespace

Value *emit_reciprocal_root(Builder &b, Value *x) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b);
  llvm::FastMathFlags flags;
  flags.setApproxFunc(x->getType()->getScalarType()->isFloatTy());
  b.setFastMathFlags(flags);
  return b.CreateFDiv(constant(x, 1), unary(b, llvm::Intrinsic::sqrt, x));
}

Value *flush(Builder &b, Value *x) {
  llvm::Type *scalar = x->getType()->getScalarType();
  if (!scalar->isFloatTy() && !scalar->isHalfTy() && !scalar->isBFloatTy()) {
    return x;
  }
  llvm::APFloat smallest = llvm::APFloat::getSmallestNormalized(scalar->getFltSemantics());
  Value *size = unary(b, llvm::Intrinsic::fabs, x);
  Value *tiny = b.CreateFCmpOLT(size, llvm::ConstantFP::get(x->getType(), smallest));
  return b.CreateSelect(tiny, binary(b, llvm::Intrinsic::copysign, constant(x, 0), x), x);
}

Value *emit_float_math(const MathName &name, CallInst &call, Builder &b) {
  llvm::Type *type = call.getType();
  if (!type->getScalarType()->isFloatingPointTy() || call.arg_empty() || call.getArgOperand(0)->getType() != type) {
    return nullptr;
  }
  llvm::SmallVector<Value *, 3> operands;
  for (Value *operand : call.args()) {
    operands.push_back(name.ftz ? flush(b, operand) : operand);
  }
  Value *result = arithmetic(name, b, operands, type);
  if (!result) {
    result = function_of_one(name, b, operands[0]);
  }
  return result ? finish(name, b, result) : nullptr;
}

}  // namespace hel::cc

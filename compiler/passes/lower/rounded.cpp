// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/rounded.h"

#include "compiler/ir/llvm_headers.h"

namespace hel::cc {
namespace {

constexpr const char *kOpNames[] = {"add", "mul", "div", "fma", "sqrt", "trunc"};
constexpr llvm::Intrinsic::ID kConstrained[] = {
    llvm::Intrinsic::experimental_constrained_fadd, llvm::Intrinsic::experimental_constrained_fmul,
    llvm::Intrinsic::experimental_constrained_fdiv, llvm::Intrinsic::experimental_constrained_fma,
    llvm::Intrinsic::experimental_constrained_sqrt, llvm::Intrinsic::experimental_constrained_fptrunc,
};
constexpr const char *kModeNames[] = {"rn", "rz", "rm", "rp"};
constexpr llvm::RoundingMode kModes[] = {llvm::RoundingMode::NearestTiesToEven, llvm::RoundingMode::TowardZero,
                                         llvm::RoundingMode::TowardNegative, llvm::RoundingMode::TowardPositive};

void set_rounding(llvm::IRBuilderBase &builder, llvm::RoundingMode mode) {
  builder.CreateIntrinsic(llvm::Intrinsic::set_rounding, {}, {builder.getInt32(static_cast<uint32_t>(mode))});
}

/// hl.round.<op>.<type>.<mode>: sets the mode, computes, sets it back. Pure as seen from outside.
llvm::Function *helper(llvm::Module &module, RoundedOp op, Rounding mode, llvm::ArrayRef<llvm::Value *> operands,
                       llvm::Type *result) {
  std::string type_name;
  llvm::raw_string_ostream(type_name) << *result;
  std::string name = std::string("hl.round.") + kOpNames[static_cast<int>(op)] + "." + type_name + "." +
                     kModeNames[static_cast<int>(mode)];
  if (llvm::Function *known = module.getFunction(name)) {
    return known;
  }
  llvm::SmallVector<llvm::Type *, 3> types;
  for (llvm::Value *operand : operands) {
    types.push_back(operand->getType());
  }
  auto *function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
  for (auto kind : {llvm::Attribute::NoInline, llvm::Attribute::StrictFP, llvm::Attribute::NoUnwind,
                    llvm::Attribute::WillReturn, llvm::Attribute::NoSync, llvm::Attribute::NoFree}) {
    function->addFnAttr(kind);
  }
  function->setDoesNotAccessMemory();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  builder.setIsFPConstrained(true);
  builder.setDefaultConstrainedExcept(llvm::fp::ebIgnore);
  builder.setDefaultConstrainedRounding(llvm::RoundingMode::Dynamic);
  set_rounding(builder, kModes[static_cast<int>(mode)]);
  llvm::SmallVector<llvm::Value *, 3> arguments;
  for (llvm::Argument &argument : function->args()) {
    arguments.push_back(&argument);
  }
  llvm::Intrinsic::ID id = kConstrained[static_cast<int>(op)];
  llvm::Value *value = nullptr;
  if (op == RoundedOp::Truncate) {
    value = builder.CreateConstrainedFPCast(id, arguments[0], result);
  } else {
    llvm::Function *intrinsic = llvm::Intrinsic::getOrInsertDeclaration(&module, id, {result});
    value = builder.CreateConstrainedFPCall(intrinsic, arguments);
  }
  set_rounding(builder, llvm::RoundingMode::NearestTiesToEven);
  builder.CreateRet(value);
  return function;
}

/// The neighbour of a value, up or down: next to infinity the largest one, next to a zero the smallest one away from
/// it.
llvm::Value *neighbour(llvm::IRBuilderBase &builder, llvm::Value *value, bool up) {
  llvm::Type *type = value->getType();
  llvm::Type *bits_type = builder.getIntNTy(type->getPrimitiveSizeInBits());
  llvm::Value *bits = builder.CreateBitCast(value, bits_type);
  llvm::Value *negative = builder.CreateICmpSLT(bits, llvm::ConstantInt::get(bits_type, 0));
  llvm::Value *away = builder.CreateAdd(bits, llvm::ConstantInt::get(bits_type, 1));
  llvm::Value *toward = builder.CreateSub(bits, llvm::ConstantInt::get(bits_type, 1));
  return builder.CreateBitCast(builder.CreateSelect(negative, up ? toward : away, up ? away : toward), type);
}

/// Directed rounding to bfloat, and of a double to half: no instruction does it, and a library's function knows no
/// modes. What rounding to nearest added or took away tells whether the wanted value is its neighbour.
llvm::Value *truncate_to_small(llvm::IRBuilderBase &builder, Rounding mode, llvm::Value *value, llvm::Type *result) {
  llvm::Value *nearest = builder.CreateFPTrunc(value, result), *back = builder.CreateFPExt(nearest, value->getType());
  llvm::Value *negative = builder.CreateFCmpOLT(value, llvm::ConstantFP::get(value->getType(), 0.0));
  llvm::Value *want_down = mode == Rounding::Down ? builder.getTrue()
                           : mode == Rounding::Up ? builder.getFalse()
                                                  : builder.CreateNot(negative);
  llvm::Value *go_down = builder.CreateAnd(want_down, builder.CreateFCmpOGT(back, value));
  llvm::Value *go_up = builder.CreateAnd(builder.CreateNot(want_down), builder.CreateFCmpOLT(back, value));
  llvm::Value *lowered = builder.CreateSelect(go_down, neighbour(builder, nearest, false), nearest);
  return builder.CreateSelect(go_up, neighbour(builder, nearest, true), lowered);
}

}  // namespace

llvm::Value *emit_rounded(llvm::IRBuilderBase &builder, RoundedOp op, Rounding mode,
                          llvm::ArrayRef<llvm::Value *> operands, llvm::Type *result) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(builder);
  builder.clearFastMathFlags();
  bool is_small = result->isBFloatTy() || (result->isHalfTy() && operands[0]->getType()->isDoubleTy());
  if (op == RoundedOp::Truncate && mode != Rounding::Nearest && is_small) {
    return truncate_to_small(builder, mode, operands[0], result);
  }
  if (mode != Rounding::Nearest) {
    llvm::Module &module = *builder.GetInsertBlock()->getModule();
    return builder.CreateCall(helper(module, op, mode, operands, result), operands);
  }
  switch (op) {
  case RoundedOp::Add:
    return builder.CreateFAdd(operands[0], operands[1]);
  case RoundedOp::Mul:
    return builder.CreateFMul(operands[0], operands[1]);
  case RoundedOp::Div:
    return builder.CreateFDiv(operands[0], operands[1]);
  case RoundedOp::Fma:
    return builder.CreateIntrinsic(llvm::Intrinsic::fma, {result}, operands);
  case RoundedOp::Sqrt:
    return builder.CreateIntrinsic(llvm::Intrinsic::sqrt, {result}, operands);
  case RoundedOp::Truncate:
    return builder.CreateFPTrunc(operands[0], result);
  }
  llvm_unreachable("all cases return");
}

llvm::Value *emit_rounded_int_to_float(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Type *type,
                                       bool is_signed, Rounding mode) {
  llvm::Value *nearest = is_signed ? builder.CreateSIToFP(value, type) : builder.CreateUIToFP(value, type);
  unsigned mantissa = type->getFPMantissaWidth();
  if (mode == Rounding::Nearest || value->getType()->getIntegerBitWidth() <= mantissa) {
    return nearest;
  }
  // What rounding to nearest added or took away tells whether the wanted value is its neighbour.
  llvm::Type *wide = builder.getInt128Ty();
  llvm::Value *exact = is_signed ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
  llvm::Value *back = builder.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {wide, type}, {nearest});
  llvm::Value *too_big = builder.CreateICmpSGT(back, exact);
  llvm::Value *too_small = builder.CreateICmpSLT(back, exact);
  llvm::Value *negative = builder.CreateICmpSLT(exact, llvm::ConstantInt::get(wide, 0));
  llvm::Value *want_down = mode == Rounding::Down ? builder.getTrue()
                           : mode == Rounding::Up ? builder.getFalse()
                                                  : builder.CreateNot(negative);
  llvm::Value *go_down = builder.CreateAnd(want_down, too_big);
  llvm::Value *go_up = builder.CreateAnd(builder.CreateNot(want_down), too_small);
  llvm::Value *result = builder.CreateSelect(go_down, neighbour(builder, nearest, false), nearest);
  return builder.CreateSelect(go_up, neighbour(builder, nearest, true), result);
}

llvm::Value *emit_small_fma(llvm::IRBuilderBase &builder, llvm::Value *a, llvm::Value *b, llvm::Value *c) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(builder);
  builder.clearFastMathFlags();
  // The product is exact: in float for half, in double for bfloat, whose products leave float's range. The sum is rounded
  // to odd, so that the last rounding sees what was lost.
  llvm::Type *type = a->getType();
  bool is_half = type->getScalarType()->isHalfTy();
  llvm::Type *wide = type->getWithNewType(is_half ? builder.getFloatTy() : builder.getDoubleTy());
  llvm::Type *bits_type = type->getWithNewType(is_half ? builder.getInt32Ty() : builder.getInt64Ty());
  llvm::Value *product = builder.CreateFMul(builder.CreateFPExt(a, wide), builder.CreateFPExt(b, wide));
  llvm::Value *addend = builder.CreateFPExt(c, wide);
  llvm::Value *sum = builder.CreateFAdd(product, addend);
  llvm::Value *part = builder.CreateFSub(sum, product);
  llvm::Value *error = builder.CreateFAdd(builder.CreateFSub(product, builder.CreateFSub(sum, part)),
                                          builder.CreateFSub(addend, part));
  llvm::Value *zero = llvm::Constant::getNullValue(wide);
  llvm::Value *bits = builder.CreateBitCast(sum, bits_type);
  llvm::Value *one = llvm::ConstantInt::get(bits_type, 1);
  llvm::Value *even = builder.CreateIsNull(builder.CreateAnd(bits, one));
  llvm::Value *inexact = builder.CreateFCmpONE(error, zero);
  llvm::Value *away = builder.CreateICmpEQ(builder.CreateFCmpOGT(error, zero), builder.CreateFCmpOGT(sum, zero));
  llvm::Value *step = builder.CreateSelect(away, one, llvm::Constant::getAllOnesValue(bits_type));
  llvm::Value *odd = builder.CreateSelect(builder.CreateAnd(even, inexact), builder.CreateAdd(bits, step), bits);
  return builder.CreateFPTrunc(builder.CreateBitCast(odd, wide), type);
}

}  // namespace hel::cc

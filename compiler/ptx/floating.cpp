// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic and the approximate functions.
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/math_emitters.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

/// What the suffixes of a floating-point instruction ask for.
struct Form {
  Type type;
  std::optional<Rounding> rounding;
  bool ftz = false, sat = false, relu = false, nan = false, xorsign = false, approx = false;
};

std::optional<Form> parse_form(const Instruction &inst, size_t operands) {
  Suffixes suffixes(inst);
  Form form;
  form.rounding = suffixes.take_rounding();
  form.ftz = suffixes.take("ftz");
  form.sat = suffixes.take("sat");
  form.relu = suffixes.take("relu");
  form.nan = suffixes.take("NaN");
  form.xorsign = suffixes.take("xorsign") && suffixes.take("abs");
  form.approx = suffixes.take("approx") || suffixes.take("full") || suffixes.take("noftz");
  std::optional<Type> type = suffixes.take_type();
  if (!type || !type->is_float() || !suffixes.empty() || inst.operands.size() != operands) {
    return std::nullopt;
  }
  form.type = *type;
  return form;
}

Value *zero(Value *like) { return llvm::Constant::getNullValue(like->getType()); }
Value *one(Value *like) { return llvm::ConstantFP::get(like->getType(), 1.0); }

Value *operand(Lowering &l, const Instruction &inst, unsigned number, const Form &form) {
  Value *x = l.read(inst.operands[number], form.type);
  return form.ftz ? flush(l.b, x) : x;
}

/// Flushes, clamps and writes. NaN becomes 0 with .sat and stays with .relu.
bool finish(Lowering &l, const Instruction &inst, const Form &form, Value *x) {
  if (form.ftz) {
    x = flush(l.b, x);
  }
  if (form.relu) {
    x = l.b.CreateSelect(l.b.CreateFCmpUGT(x, zero(x)), x, zero(x));
  }
  if (form.sat) {
    Value *low = l.b.CreateSelect(l.b.CreateFCmpOGT(x, zero(x)), x, zero(x));
    x = l.b.CreateSelect(l.b.CreateFCmpOGT(low, one(low)), one(low), low);
  }
  l.write(inst.operands[0], x, form.type);
  return true;
}

/// Modes other than to nearest exist for float and double alone.
Value *rounded(Lowering &l, RoundedOp op, const Form &form, llvm::ArrayRef<Value *> x) {
  return emit_rounded(l.b, op, form.rounding.value_or(Rounding::Nearest), x, l.type(form.type));
}

bool is_legal_rounding(const Form &form) {
  return form.rounding.value_or(Rounding::Nearest) == Rounding::Nearest || (form.type.lane_bits >= 32 && form.type.lanes == 1);
}

bool add_sub_mul(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst, 3);
  if (!form || !is_legal_rounding(*form)) {
    return false;
  }
  Value *x = operand(l, inst, 1, *form), *y = operand(l, inst, 2, *form);
  if (inst.opcode == "sub") {
    y = l.b.CreateFNeg(y);
  }
  return finish(l, inst, *form, rounded(l, inst.opcode == "mul" ? RoundedOp::Mul : RoundedOp::Add, *form, {x, y}));
}

/// fma, and mad, which is the same for floating-point values.
bool multiply_add(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst, 4);
  if (!form || !is_legal_rounding(*form)) {
    return false;
  }
  Value *x = operand(l, inst, 1, *form), *y = operand(l, inst, 2, *form), *z = operand(l, inst, 3, *form);
  Value *value = form->type.is_small_float() ? emit_small_fma(l.b, x, y, z) : rounded(l, RoundedOp::Fma, *form, {x, y, z});
  return finish(l, inst, *form, value);
}

bool divide(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst, 3);
  if (!form || form->type.lane_bits < 32 || form->type.lanes != 1) {
    return false;
  }
  return finish(l, inst, *form, rounded(l, RoundedOp::Div, *form, {operand(l, inst, 1, *form), operand(l, inst, 2, *form)}));
}

bool abs_or_neg(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst, 2);
  if (!form) {
    return false;
  }
  Value *x = operand(l, inst, 1, *form);
  return finish(l, inst, *form, inst.opcode == "neg" ? l.b.CreateFNeg(x) : l.b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x));
}

/// One NaN gives the other operand, with .NaN it stays; -0 is below +0.
bool min_or_max(Lowering &l, const Instruction &inst) {
  using namespace llvm::Intrinsic;
  std::optional<Form> form = parse_form(inst, inst.operands.size() == 4 ? 4 : 3);
  if (!form || (form->xorsign && inst.operands.size() == 4)) {
    return false;
  }
  bool is_max = inst.opcode == "max";
  ID id = form->nan ? (is_max ? maximum : minimum) : (is_max ? maximumnum : minimumnum);
  Value *x = operand(l, inst, 1, *form), *y = operand(l, inst, 2, *form);
  if (form->xorsign) {
    llvm::Type *bits = x->getType()->getWithNewType(l.b.getIntNTy(form->type.lane_bits));
    Value *sign = l.b.CreateXor(l.b.CreateBitCast(x, bits), l.b.CreateBitCast(y, bits));
    Value *size = l.b.CreateBinaryIntrinsic(id, l.b.CreateUnaryIntrinsic(fabs, x), l.b.CreateUnaryIntrinsic(fabs, y));
    return finish(l, inst, *form, l.b.CreateBinaryIntrinsic(copysign, size, l.b.CreateBitCast(sign, x->getType())));
  }
  Value *value = l.b.CreateBinaryIntrinsic(id, x, y);
  if (inst.operands.size() == 4) {
    value = l.b.CreateBinaryIntrinsic(id, value, operand(l, inst, 3, *form));
  }
  return finish(l, inst, *form, value);
}

/// The approximate double functions look at the upper half of the number and give the upper half of the result.
Value *upper_half(Lowering &l, Value *x) {
  Value *bits = l.b.CreateAnd(l.b.CreateBitCast(x, l.b.getInt64Ty()), ~uint64_t{0xffffffff});
  return l.b.CreateBitCast(bits, x->getType());
}

bool root_or_reciprocal(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst, 2);
  if (!form || form->type.lane_bits < 32 || form->type.lanes != 1 || (!form->approx && !form->rounding)) {
    return false;
  }
  bool is_coarse = form->approx && form->type == kF64;
  Value *x = operand(l, inst, 1, *form);
  if (is_coarse) {
    x = upper_half(l, x);
  }
  Value *value = inst.opcode == "sqrt"  ? rounded(l, RoundedOp::Sqrt, *form, {x})
                 : inst.opcode == "rcp" ? rounded(l, RoundedOp::Div, *form, {one(x), x})
                                        : emit_reciprocal_root(l.b, x);
  return finish(l, inst, *form, is_coarse ? upper_half(l, value) : value);
}

/// sin cos lg2 ex2 tanh: in float, whose result rounds to the small types.
bool approximate(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst, 2);
  if (!form || !form->approx || form->type.lane_bits > 32) {
    return false;
  }
  llvm::Type *type = l.type(form->type), *wide = type->getWithNewType(l.b.getFloatTy());
  Value *x = l.b.CreateFPExt(operand(l, inst, 1, *form), wide);
  auto one_value = [&](Value *lane) -> Value * {
    if (inst.opcode == "tanh") {
      return l.b.CreateUnaryIntrinsic(llvm::Intrinsic::tanh, lane);
    }
    std::string name = inst.opcode + (form->ftz ? ".approx.ftz" : ".approx");
    return l.nvvm(inst.opcode == "ex2" ? name : name + ".f", {lane});
  };
  Value *value = nullptr;
  if (form->type.lanes == 1) {
    value = one_value(x);
  } else {
    value = llvm::PoisonValue::get(wide);
    for (uint64_t i = 0; i < form->type.lanes; ++i) {
      value = l.b.CreateInsertElement(value, one_value(l.b.CreateExtractElement(x, i)), i);
    }
  }
  return finish(l, inst, *form, l.b.CreateFPTrunc(value, type));
}

/// copysign d, a, b: the size of b with the sign of a.
bool copy_sign(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst, 3);
  if (!form || form->type.lane_bits < 32) {
    return false;
  }
  Value *sign = l.read(inst.operands[1], form->type), *size = l.read(inst.operands[2], form->type);
  l.write(inst.operands[0], l.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, size, sign), form->type);
  return true;
}

bool test_property(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::FPClassTest test = llvm::StringSwitch<llvm::FPClassTest>(suffixes.take_one_of(
                                 {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}))
                               .Case("finite", llvm::fcFinite)
                               .Case("infinite", llvm::fcInf)
                               .Case("number", ~llvm::fcNan & llvm::fcAllFlags)
                               .Case("notanumber", llvm::fcNan)
                               .Case("normal", llvm::fcNormal)
                               .Case("subnormal", llvm::fcSubnormal)
                               .Default(llvm::fcNone);
  std::optional<Type> type = suffixes.take_type();
  if (test == llvm::fcNone || !type || !type->is_float() || type->lane_bits < 32 || !suffixes.empty() ||
      inst.operands.size() != 2) {
    return false;
  }
  l.write(inst.operands[0], l.b.createIsFPClass(l.read(inst.operands[1], *type), test), kPredicate);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"add", add_sub_mul},   {"sub", add_sub_mul},         {"mul", add_sub_mul},          {"fma", multiply_add},
    {"mad", multiply_add},  {"div", divide},              {"abs", abs_or_neg},           {"neg", abs_or_neg},
    {"min", min_or_max},    {"max", min_or_max},          {"rcp", root_or_reciprocal},   {"sqrt", root_or_reciprocal},
    {"rsqrt", root_or_reciprocal}, {"sin", approximate},  {"cos", approximate},          {"lg2", approximate},
    {"ex2", approximate},   {"tanh", approximate},        {"copysign", copy_sign},       {"testp", test_property},
};

}  // namespace

Opcodes floating_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

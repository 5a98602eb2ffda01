// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt: between integers, floating-point types and packed small ones.
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/convert.h"
#include "compiler/passes/lower/math_emitters.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

struct Form {
  Type to, from;
  std::optional<Rounding> rounding;  ///< of the result, or of the step to a whole number
  bool integral = false;             ///< .rni .rzi .rmi .rpi
  bool away = false;                 ///< .rna
  bool ftz = false, sat = false, relu = false, satfinite = false;
};

std::optional<Form> parse_form(const Instruction &inst) {
  Suffixes suffixes(inst);
  Form form;
  form.rounding = suffixes.take_rounding();
  for (auto [name, mode] : {std::pair("rni", Rounding::Nearest), std::pair("rzi", Rounding::Zero),
                            std::pair("rmi", Rounding::Down), std::pair("rpi", Rounding::Up)}) {
    if (suffixes.take(name)) {
      form.rounding = mode;
      form.integral = true;
    }
  }
  form.away = suffixes.take("rna");
  form.ftz = suffixes.take("ftz");
  form.sat = suffixes.take("sat");
  form.relu = suffixes.take("relu");
  form.satfinite = suffixes.take("satfinite");
  std::optional<Type> to = suffixes.take_type(), from = suffixes.take_type();
  if (!to || !from || !suffixes.empty()) {
    return std::nullopt;
  }
  form.to = *to;
  form.from = *from;
  return form;
}

Value *constant(Value *like, double value) { return llvm::ConstantFP::get(like->getType(), value); }

/// .sat of a floating-point result: between 0 and 1, NaN is 0.
Value *clamp_to_one(Lowering &l, Value *x) {
  Value *low = l.b.CreateSelect(l.b.CreateFCmpOGT(x, constant(x, 0)), x, constant(x, 0));
  return l.b.CreateSelect(l.b.CreateFCmpOGT(low, constant(x, 1)), constant(x, 1), low);
}

Value *round_to_integral(Lowering &l, Value *x, Rounding mode) {
  using namespace llvm::Intrinsic;
  constexpr ID kRound[] = {roundeven, trunc, floor, ceil};
  return l.b.CreateUnaryIntrinsic(kRound[static_cast<int>(mode)], x);
}

Value *integer_to_integer(Lowering &l, const Form &form, Value *x) {
  llvm::Type *wide = l.b.getIntNTy(std::max(form.to.bits(), form.from.bits()) + 1u);
  x = form.from.is_signed() ? l.b.CreateSExt(x, wide) : l.b.CreateZExt(x, wide);
  if (form.sat) {
    unsigned bits = form.to.bits(), width = wide->getIntegerBitWidth();
    llvm::APInt low = form.to.is_signed() ? llvm::APInt::getSignedMinValue(bits).sext(width) : llvm::APInt(width, 0);
    llvm::APInt high = form.to.is_signed() ? llvm::APInt::getSignedMaxValue(bits).sext(width) : llvm::APInt::getMaxValue(bits).zext(width);
    x = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, l.b.getInt(low));
    x = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, l.b.getInt(high));
  }
  return l.b.CreateTrunc(x, l.type(form.to));
}

/// A 32- or 64-bit integer without the bits that a float, or a double, has no room for; the last one that is left says
/// whether any of them was set, so that rounding to a still smaller type comes out as from the integer itself, whatever
/// type is passed on the way.
Value *fold_low_bits(Lowering &l, Value *x, bool is_signed) {
  llvm::Type *type = x->getType();
  const unsigned kept_bits = type->isIntegerTy(64) ? 53 : 24, dropped = type->getIntegerBitWidth() - kept_bits;
  auto number = [&](uint64_t value) { return llvm::ConstantInt::get(type, value); };
  Value *size = is_signed ? l.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, l.b.getFalse()) : x;
  Value *low = l.b.CreateAnd(size, number((uint64_t{1} << dropped) - 1)),
        *is_wide = l.b.CreateIsNotNull(l.b.CreateLShr(size, kept_bits));
  Value *sticky = l.b.CreateSelect(l.b.CreateIsNotNull(low), number(uint64_t{1} << dropped), number(0));
  Value *folded = l.b.CreateOr(l.b.CreateXor(size, low), sticky);
  Value *kept = l.b.CreateSelect(is_wide, folded, size);
  return is_signed ? l.b.CreateSelect(l.b.CreateICmpSLT(x, number(0)), l.b.CreateNeg(kept), kept) : kept;
}

/// Small types are reached through double, which holds all integers that come there.
Value *integer_to_float(Lowering &l, const Form &form, Value *x) {
  bool is_small = form.to.lane_bits == 16;
  if (is_small && form.from.bits() >= 32) {
    x = fold_low_bits(l, x, form.from.is_signed());
  }
  llvm::Type *first = is_small ? l.b.getDoubleTy() : l.type(form.to);
  Value *value = emit_rounded_int_to_float(l.b, x, first, form.from.is_signed(), *form.rounding);
  if (is_small) {
    value = emit_rounded(l.b, RoundedOp::Truncate, *form.rounding, {value}, l.type(form.to));
  }
  return form.sat ? clamp_to_one(l, value) : value;
}

/// NaN gives what the machine gives (convert.h); types below 32 bits clamp to their own range.
Value *float_to_integer(Lowering &l, const Form &form, Value *x) {
  if (form.ftz) {
    x = flush(l.b, x);
  }
  if (x->getType()->getPrimitiveSizeInBits() == 16) {
    x = l.b.CreateFPExt(x, l.b.getFloatTy());
  }
  x = round_to_integral(l, x, *form.rounding);
  if (form.to.bits() >= 32) {
    return emit_float_to_int(l.b, x, l.type(form.to), form.to.is_signed());
  }
  llvm::Intrinsic::ID id = form.to.is_signed() ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return l.call(id, {x}, {l.type(form.to), x->getType()});
}

/// The largest finite value in place of what is beyond it; NaN stays.
Value *clamp_to_finite(Lowering &l, Value *x, llvm::Type *narrow) {
  llvm::APFloat largest = llvm::APFloat::getLargest(narrow->getFltSemantics());
  bool loses = false;
  largest.convert(x->getType()->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &loses);
  Value *high = llvm::ConstantFP::get(x->getType(), largest), *low = l.b.CreateFNeg(high);
  Value *clamped = l.b.CreateSelect(l.b.CreateFCmpOGT(x, high), high, x);
  return l.b.CreateSelect(l.b.CreateFCmpOLT(clamped, low), low, clamped);
}

/// To a narrower type, rounded once.
Value *narrow(Lowering &l, const Form &form, Value *x, Type to) {
  llvm::Type *type = l.type(to);
  if (form.relu) {
    x = l.b.CreateSelect(l.b.CreateFCmpUGT(x, constant(x, 0)), x, constant(x, 0));
  }
  if (form.satfinite) {
    x = clamp_to_finite(l, x, type);
  }
  Rounding mode = form.rounding.value_or(Rounding::Nearest);
  if (mode == Rounding::Zero && to == kBF16 && x->getType()->isFloatTy()) {
    Value *high = l.b.CreateTrunc(l.b.CreateLShr(l.b.CreateBitCast(x, l.b.getInt32Ty()), 16), l.b.getInt16Ty());
    return l.b.CreateSelect(l.b.CreateFCmpUNO(x, x), l.b.CreateFPTrunc(x, type), l.b.CreateBitCast(high, type));
  }
  return emit_rounded(l.b, RoundedOp::Truncate, mode, {x}, type);
}

Value *float_to_float(Lowering &l, const Form &form, Value *x) {
  if (form.ftz) {
    x = flush(l.b, x);
  }
  if (form.to == form.from) {
    if (form.integral) {
      x = round_to_integral(l, x, *form.rounding);
    }
  } else if (form.to.lane_bits > form.from.lane_bits) {
    x = l.b.CreateFPExt(x, l.type(form.to));
  } else if (form.to.lane_bits == form.from.lane_bits) {  // half and bfloat
    x = narrow(l, form, l.b.CreateFPExt(x, l.b.getFloatTy()), form.to);
  } else {
    x = narrow(l, form, x, form.to);
  }
  if (form.ftz) {
    x = flush(l.b, x);
  }
  return form.sat ? clamp_to_one(l, x) : x;
}

/// tf32: ten bits of fraction stay.
Value *to_tf32(Lowering &l, const Form &form, Value *x) {
  if (form.relu) {
    x = l.b.CreateSelect(l.b.CreateFCmpUGT(x, constant(x, 0)), x, constant(x, 0));
  }
  Value *bits = l.b.CreateBitCast(x, l.b.getInt32Ty());
  Value *half = l.b.getInt32(0x1000);
  if (!form.away) {  // ties to even, or towards zero
    Value *odd = l.b.CreateAnd(l.b.CreateLShr(bits, 13), 1);
    half = *form.rounding == Rounding::Zero ? l.b.getInt32(0) : l.b.CreateAdd(l.b.getInt32(0xfff), odd);
  }
  Value *rounded = l.b.CreateAnd(l.b.CreateAdd(bits, half), 0xffffe000);
  Value *size = l.b.CreateAnd(bits, 0x7fffffff);
  if (form.satfinite) {  // the largest number for all that rounds to more
    Value *largest = l.b.CreateOr(l.b.CreateAnd(bits, 0x80000000), 0x7f7fe000);
    rounded = l.b.CreateSelect(l.b.CreateICmpUGT(size, l.b.getInt32(0x7f7fefff)), largest, rounded);
    return l.b.CreateSelect(l.b.CreateICmpUGT(size, l.b.getInt32(0x7f800000)), bits, rounded);
  }
  return l.b.CreateSelect(l.b.CreateICmpUGE(size, l.b.getInt32(0x7f800000)), bits, rounded);
}

Value *pair_of(Lowering &l, Value *low, Value *high) {
  Value *both = llvm::PoisonValue::get(llvm::FixedVectorType::get(low->getType(), 2));
  return l.b.CreateInsertElement(l.b.CreateInsertElement(both, low, uint64_t{0}), high, uint64_t{1});
}

/// cvt.f16x2.f32 d, a, b and cvt.bf16x2.f32: a becomes the upper half.
bool convert_pair(Lowering &l, const Instruction &inst, const Form &form) {
  if (form.to.lanes != 2 || !form.to.is_small_float() || form.from != kF32 || !form.rounding || inst.operands.size() != 3) {
    return false;
  }
  auto one = [&](const Operand &operand) {
    Value *x = l.read(operand, kF32);
    return narrow(l, form, form.ftz ? flush(l.b, x) : x, form.to.lane());
  };
  Value *high = one(inst.operands[1]);
  l.write(inst.operands[0], pair_of(l, one(inst.operands[2]), high), form.to);
  return true;
}

Value *convert_one(Lowering &l, const Form &form, Value *x) {
  if (form.from.is_integer()) {
    return form.to.is_integer() ? integer_to_integer(l, form, x) : integer_to_float(l, form, x);
  }
  return form.to.is_integer() ? float_to_integer(l, form, x) : float_to_float(l, form, x);
}

/// Forms that the instruction set has: roundings where they are needed, and only there.
bool is_legal(const Form &form) {
  if (form.to.lanes != 1 || form.from.lanes != 1) {
    return false;
  }
  bool from_integer = form.from.is_integer(), to_integer = form.to.is_integer();
  if ((!from_integer && !form.from.is_float()) || (!to_integer && !form.to.is_float()) || form.away) {
    return false;
  }
  if (from_integer && to_integer) {
    return !form.rounding;
  }
  if (from_integer) {
    return form.rounding && !form.integral;
  }
  if (to_integer) {
    return form.rounding && form.integral;
  }
  return form.to.lane_bits >= form.from.lane_bits || (form.rounding && !form.integral);
}

bool convert(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst);
  if (!form) {
    return false;
  }
  if (convert_pair(l, inst, *form)) {
    return true;
  }
  if (inst.operands.size() != 2) {
    return false;
  }
  if (form->to.kind == Type::Kind::TF32 && form->from == kF32 && (form->away || (form->rounding && !form->satfinite))) {
    l.write(inst.operands[0], to_tf32(l, *form, l.read(inst.operands[1], kF32)), kB32);
    return true;
  }
  if (!is_legal(*form)) {
    return false;
  }
  l.write(inst.operands[0], convert_one(l, *form, l.read(inst.operands[1], form->from)), form->to);
  return true;
}

/// cvt.pack.sat.type.s32 d, a, b {, c}: a above b, and for less than 16 bits the low part of c above both.
bool pack(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("pack") || !suffixes.take("sat")) {
    return false;
  }
  std::optional<Type> to = suffixes.take_type(), from = suffixes.take_type();
  bool with_rest = to && to->bits() <= 8 && suffixes.take_type() == kB32;
  bool needs_rest = to && to->bits() < 8;
  if (!to || from != kS32 || to->kind == Type::Kind::Bits || !to->is_integer() || to->bits() > 16 ||
      (needs_rest && !with_rest) || !suffixes.empty() || inst.operands.size() != (with_rest ? 4u : 3u)) {
    return false;
  }
  Form form;
  form.to = *to;
  form.from = kS32;
  form.sat = true;
  auto one = [&](const Operand &operand) {
    return l.b.CreateZExt(integer_to_integer(l, form, l.read(operand, kS32)), l.b.getInt32Ty());
  };
  Value *high = l.b.CreateShl(one(inst.operands[1]), to->bits());
  Value *value = l.b.CreateOr(high, one(inst.operands[2]));
  if (with_rest) {
    value = l.b.CreateOr(value, l.b.CreateShl(l.read(inst.operands[3], kB32), 2 * to->bits()));
  }
  l.write(inst.operands[0], value, kB32);
  return true;
}

constexpr Opcode kOpcodes[] = {{"cvt", convert}, {"cvt", pack}};

}  // namespace

Opcodes convert_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

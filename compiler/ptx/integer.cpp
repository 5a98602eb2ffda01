// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic and bit fields.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;
using Id = llvm::Intrinsic::ID;

/// The type of an instruction whose suffixes are all taken, when it is an integer one with `operands` operands.
std::optional<Type> integer_form(Suffixes &suffixes, const Instruction &inst, size_t operands) {
  std::optional<Type> type = suffixes.take_type();
  bool good = type && type->is_integer() && suffixes.empty() && inst.operands.size() == operands;
  return good ? type : std::nullopt;
}

Value *select_id(Lowering &l, Id signed_id, Id unsigned_id, Type type, Value *x, Value *y) {
  return l.b.CreateBinaryIntrinsic(type.is_signed() ? signed_id : unsigned_id, x, y);
}

bool add_or_sub(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool saturates = suffixes.take("sat");
  std::optional<Type> type = integer_form(suffixes, inst, 3);
  if (!type || (saturates && *type != kS32)) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type), *y = l.read(inst.operands[2], *type);
  bool adds = inst.opcode == "add";
  Value *value = saturates ? l.b.CreateBinaryIntrinsic(adds ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::ssub_sat, x, y)
                 : adds    ? l.b.CreateAdd(x, y)
                           : l.b.CreateSub(x, y);
  l.write(inst.operands[0], value, *type);
  return true;
}

/// A product in twice the width.
Value *wide_product(Lowering &l, const Operand &a, const Operand &b, Type type) {
  llvm::Type *wide = l.b.getIntNTy(2 * type.bits());
  auto extend = [&](Value *x) { return type.is_signed() ? l.b.CreateSExt(x, wide) : l.b.CreateZExt(x, wide); };
  return l.b.CreateMul(extend(l.read(a, type)), extend(l.read(b, type)));
}

/// mul and mad: .lo .hi .wide
bool multiply(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef part = suffixes.take_one_of({"lo", "hi", "wide"});
  bool adds = inst.opcode == "mad";
  bool saturates = suffixes.take("sat");
  std::optional<Type> type = integer_form(suffixes, inst, adds ? 4 : 3);
  if (!type || part.empty() || type->lanes != 1 || (saturates && (!adds || part != "hi" || *type != kS32))) {
    return false;
  }
  Type result = *type;
  Value *product = nullptr;
  if (part == "lo") {
    product = l.b.CreateMul(l.read(inst.operands[1], *type), l.read(inst.operands[2], *type));
  } else {
    product = wide_product(l, inst.operands[1], inst.operands[2], *type);
  }
  if (part == "hi") {
    product = l.b.CreateTrunc(l.b.CreateLShr(product, type->bits()), l.type(*type));
  } else if (part == "wide") {
    result.lane_bits = static_cast<uint8_t>(2 * type->lane_bits);
  }
  if (adds) {
    Value *addend = l.read(inst.operands[3], result);
    product = saturates ? l.b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, product, addend) : l.b.CreateAdd(product, addend);
  }
  l.write(inst.operands[0], product, result);
  return true;
}

/// mul24 and mad24: the low 24 bits of the operands; .hi gives bits 16 to 47 of the product.
bool multiply24(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef part = suffixes.take_one_of({"lo", "hi"});
  bool adds = inst.opcode == "mad24";
  std::optional<Type> type = integer_form(suffixes, inst, adds ? 4 : 3);
  if (!type || part.empty() || type->bits() != 32) {
    return false;
  }
  auto low24 = [&](const Operand &operand) {
    Value *up = l.b.CreateShl(l.read(operand, *type), 8);
    return type->is_signed() ? l.b.CreateSExt(l.b.CreateAShr(up, 8), l.b.getInt64Ty())
                             : l.b.CreateZExt(l.b.CreateLShr(up, 8), l.b.getInt64Ty());
  };
  Value *product = l.b.CreateMul(low24(inst.operands[1]), low24(inst.operands[2]));
  Value *value = l.b.CreateTrunc(part == "hi" ? l.b.CreateLShr(product, 16) : product, l.b.getInt32Ty());
  l.write(inst.operands[0], adds ? l.b.CreateAdd(value, l.read(inst.operands[3], *type)) : value, *type);
  return true;
}

/// Division by zero is the matter of a later stage (guard_division).
bool divide(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  std::optional<Type> type = integer_form(suffixes, inst, 3);
  if (!type) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type), *y = l.read(inst.operands[2], *type);
  Value *value = inst.opcode == "div" ? (type->is_signed() ? l.b.CreateSDiv(x, y) : l.b.CreateUDiv(x, y))
                                      : (type->is_signed() ? l.b.CreateSRem(x, y) : l.b.CreateURem(x, y));
  l.write(inst.operands[0], value, *type);
  return true;
}

bool abs_or_neg(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  std::optional<Type> type = integer_form(suffixes, inst, 2);
  if (!type || !type->is_signed()) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type);
  l.write(inst.operands[0],
          inst.opcode == "neg" ? l.b.CreateNeg(x) : l.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, l.b.getFalse()), *type);
  return true;
}

bool min_or_max(Lowering &l, const Instruction &inst) {
  using namespace llvm::Intrinsic;
  Suffixes suffixes(inst);
  bool relu = suffixes.take("relu");
  std::optional<Type> type = integer_form(suffixes, inst, 3);
  if (!type || type->kind == Type::Kind::Bits || (relu && !type->is_signed())) {
    return false;
  }
  bool is_max = inst.opcode == "max";
  Value *value = select_id(l, is_max ? smax : smin, is_max ? umax : umin, *type, l.read(inst.operands[1], *type),
                           l.read(inst.operands[2], *type));
  if (relu) {
    value = l.b.CreateBinaryIntrinsic(smax, value, llvm::Constant::getNullValue(value->getType()));
  }
  l.write(inst.operands[0], value, *type);
  return true;
}

/// sad: |a - b| + c
bool sum_of_difference(Lowering &l, const Instruction &inst) {
  using namespace llvm::Intrinsic;
  Suffixes suffixes(inst);
  std::optional<Type> type = integer_form(suffixes, inst, 4);
  if (!type) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type), *y = l.read(inst.operands[2], *type);
  Value *distance = l.b.CreateSub(select_id(l, smax, umax, *type, x, y), select_id(l, smin, umin, *type, x, y));
  l.write(inst.operands[0], l.b.CreateAdd(distance, l.read(inst.operands[3], *type)), *type);
  return true;
}

/// popc clz brev
bool count_bits(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  std::optional<Type> type = integer_form(suffixes, inst, 2);
  if (!type || type->kind != Type::Kind::Bits || type->bits() < 32) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type);
  if (inst.opcode == "brev") {
    l.write(inst.operands[0], l.b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, x), *type);
    return true;
  }
  Value *count = inst.opcode == "popc" ? l.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, x)
                                       : l.b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, x, l.b.getFalse());
  l.write(inst.operands[0], l.b.CreateZExtOrTrunc(count, l.b.getInt32Ty()), kU32);
  return true;
}

/// bfind: the place of the highest bit that differs from the sign; all ones when there is none.
bool find_bit(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool shift_amount = suffixes.take("shiftamt");
  std::optional<Type> type = integer_form(suffixes, inst, 2);
  if (!type || type->bits() < 32) {
    return false;
  }
  Value *place = l.nvvm(type->is_signed() ? "flo.s" : "flo.u", {l.read(inst.operands[1], *type), l.b.getInt1(shift_amount)});
  l.write(inst.operands[0], place, kU32);
  return true;
}

/// The low eight bits of a place or length, in the width of the field's type.
Value *field_number(Lowering &l, const Operand &operand, Type type) {
  return l.b.CreateZExtOrTrunc(l.b.CreateAnd(l.read(operand, kU32), 0xff), l.type(type));
}

/// `length` ones, all of them from the type's width on.
Value *low_ones(Lowering &l, Value *length, Type type) {
  Value *width = l.integer(type, type.bits());
  Value *fits = l.b.CreateICmpULT(length, width);
  Value *safe = l.b.CreateSelect(fits, length, l.integer(type, 0));
  Value *ones = l.b.CreateSub(l.b.CreateShl(l.integer(type, 1), safe), l.integer(type, 1));
  return l.b.CreateSelect(fits, ones, llvm::Constant::getAllOnesValue(l.type(type)));
}

/// x << count, zero from the type's width on.
Value *shift_up(Lowering &l, Value *x, Value *count, Type type) {
  Value *fits = l.b.CreateICmpULT(count, l.integer(type, type.bits()));
  return l.b.CreateSelect(fits, l.b.CreateShl(x, l.b.CreateSelect(fits, count, l.integer(type, 0))), l.integer(type, 0));
}

bool extract_field(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  std::optional<Type> type = integer_form(suffixes, inst, 4);
  if (!type || type->bits() < 32) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type);
  Value *place = field_number(l, inst.operands[2], *type), *length = field_number(l, inst.operands[3], *type);
  Value *zero = l.integer(*type, 0), *width = l.integer(*type, type->bits());
  Value *value = nullptr;
  if (type->is_signed()) {
    // Above the word its sign goes on, so that the field's own sign is the highest bit that is there.
    Value *last = l.integer(*type, type->bits() - 1);
    Value *moved = l.b.CreateAShr(x, l.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, place, last));
    Value *unused = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, width, length);
    Value *safe = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, unused, last);
    value = l.b.CreateAShr(l.b.CreateShl(moved, safe), safe);
    value = l.b.CreateSelect(l.b.CreateICmpEQ(length, zero), zero, value);
  } else {
    Value *fits = l.b.CreateICmpULT(place, width);
    Value *moved = l.b.CreateSelect(fits, l.b.CreateLShr(x, l.b.CreateSelect(fits, place, zero)), zero);
    value = l.b.CreateAnd(moved, low_ones(l, length, *type));
  }
  l.write(inst.operands[0], value, *type);
  return true;
}

bool insert_field(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  std::optional<Type> type = integer_form(suffixes, inst, 5);
  if (!type || type->bits() < 32) {
    return false;
  }
  Value *place = field_number(l, inst.operands[3], *type), *length = field_number(l, inst.operands[4], *type);
  Value *mask = shift_up(l, low_ones(l, length, *type), place, *type);
  Value *field = shift_up(l, l.read(inst.operands[1], *type), place, *type);
  Value *rest = l.b.CreateAnd(l.read(inst.operands[2], *type), l.b.CreateNot(mask));
  l.write(inst.operands[0], l.b.CreateOr(rest, l.b.CreateAnd(field, mask)), *type);
  return true;
}

/// bmsk and szext with .clamp or .wrap
bool make_mask(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef mode = suffixes.take_one_of({"clamp", "wrap"});
  std::optional<Type> type = integer_form(suffixes, inst, 3);
  if (!type || mode.empty() || type->bits() != 32) {
    return false;
  }
  llvm::StringRef name = inst.opcode == "bmsk" ? "bmsk" : type->is_signed() ? "sext" : "zext";
  Value *value = l.nvvm(name + "." + mode, {l.read(inst.operands[1], kB32), l.read(inst.operands[2], kB32)});
  l.write(inst.operands[0], value, *type);
  return true;
}

/// dp4a and dp2a: the signs of both factors stand in the type suffixes.
bool dot_product(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool of_two = inst.opcode == "dp2a";
  llvm::StringRef half = suffixes.take_one_of({"lo", "hi"});
  std::optional<Type> a = suffixes.take_type(), b = suffixes.take_type();
  if (!a || !b || a->bits() != 32 || b->bits() != 32 || !suffixes.empty() || inst.operands.size() != 4 || of_two == half.empty()) {
    return false;
  }
  llvm::SmallVector<Value *, 4> arguments = {l.read(inst.operands[1], kB32), l.read(inst.operands[2], kB32)};
  if (of_two) {
    arguments.push_back(l.b.getInt1(half == "hi"));
  }
  arguments.push_back(l.read(inst.operands[3], kB32));
  std::string name = std::string(of_two ? "idp2a." : "idp4a.") + (a->is_signed() ? "s." : "u.") + (b->is_signed() ? "s" : "u");
  l.write(inst.operands[0], l.nvvm(name, arguments), kB32);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"add", add_or_sub},        {"sub", add_or_sub},     {"mul", multiply},    {"mad", multiply},
    {"mul24", multiply24},      {"mad24", multiply24},   {"div", divide},      {"rem", divide},
    {"abs", abs_or_neg},        {"neg", abs_or_neg},     {"min", min_or_max},  {"max", min_or_max},
    {"sad", sum_of_difference}, {"popc", count_bits},    {"clz", count_bits},  {"brev", count_bits},
    {"bfind", find_bit},        {"bfe", extract_field},  {"bfi", insert_field}, {"bmsk", make_mask},
    {"szext", make_mask},       {"dp4a", dot_product},   {"dp2a", dot_product},
};

}  // namespace

Opcodes integer_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

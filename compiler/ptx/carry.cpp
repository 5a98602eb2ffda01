// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains through the carry flag: add.cc addc sub.cc subc mad.cc madc. The flag of a subtraction is its borrow.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

/// x + y + carry, or x - y - borrow, in one bit more than the type; sets the flag when asked.
Value *chain(Lowering &l, Value *x, Value *y, Type type, bool subtracts, bool reads, bool sets) {
  llvm::Type *wide = l.b.getIntNTy(type.bits() + 1);
  Value *a = l.b.CreateZExt(x, wide), *c = l.b.CreateZExt(y, wide);
  Value *sum = subtracts ? l.b.CreateSub(a, c) : l.b.CreateAdd(a, c);
  if (reads) {
    Value *flag = l.b.CreateZExt(l.b.CreateLoad(l.b.getInt1Ty(), l.carry(), "carry"), wide);
    sum = subtracts ? l.b.CreateSub(sum, flag) : l.b.CreateAdd(sum, flag);
  }
  if (sets) {
    l.b.CreateStore(l.b.CreateTrunc(l.b.CreateLShr(sum, type.bits()), l.b.getInt1Ty()), l.carry());
  }
  return l.b.CreateTrunc(sum, x->getType());
}

std::optional<Type> carried_form(Suffixes &suffixes, const Instruction &inst, size_t operands) {
  std::optional<Type> type = suffixes.take_type();
  bool good = type && type->is_integer() && type->lanes == 1 && type->bits() >= 32 && suffixes.empty() &&
              inst.operands.size() == operands;
  return good ? type : std::nullopt;
}

bool add_or_sub(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool sets = suffixes.take("cc");
  bool reads = inst.opcode == "addc" || inst.opcode == "subc";
  std::optional<Type> type = carried_form(suffixes, inst, 3);
  if (!type || (!sets && !reads)) {
    return false;
  }
  bool subtracts = inst.opcode == "sub" || inst.opcode == "subc";
  Value *x = l.read(inst.operands[1], *type), *y = l.read(inst.operands[2], *type);
  l.write(inst.operands[0], chain(l, x, y, *type, subtracts, reads, sets), *type);
  return true;
}

bool multiply_add(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool sets = suffixes.take("cc"), reads = inst.opcode == "madc";
  llvm::StringRef part = suffixes.take_one_of({"lo", "hi"});
  std::optional<Type> type = carried_form(suffixes, inst, 4);
  if (!type || part.empty() || (!sets && !reads)) {
    return false;
  }
  llvm::Type *wide = l.b.getIntNTy(2 * type->bits());
  auto extend = [&](const Operand &operand) {
    Value *x = l.read(operand, *type);
    return type->is_signed() ? l.b.CreateSExt(x, wide) : l.b.CreateZExt(x, wide);
  };
  Value *product = l.b.CreateMul(extend(inst.operands[1]), extend(inst.operands[2]));
  product = l.b.CreateTrunc(part == "hi" ? l.b.CreateLShr(product, type->bits()) : product, l.type(*type));
  Value *addend = l.read(inst.operands[3], *type);
  l.write(inst.operands[0], chain(l, product, addend, *type, /*subtracts=*/false, reads, sets), *type);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"add", add_or_sub}, {"addc", add_or_sub}, {"sub", add_or_sub},
    {"subc", add_or_sub}, {"mad", multiply_add}, {"madc", multiply_add},
};

}  // namespace

Opcodes carry_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitwise operations and shifts. A shift by the width or more gives zero, or the sign.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

std::optional<Type> bits_form(const Instruction &inst, size_t operands) {
  Suffixes suffixes(inst);
  std::optional<Type> type = suffixes.take_type();
  bool good = type && type->kind != Type::Kind::Float && suffixes.empty() && inst.operands.size() == operands;
  return good ? type : std::nullopt;
}

bool binary(Lowering &l, const Instruction &inst) {
  std::optional<Type> type = bits_form(inst, 3);
  if (!type) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type), *y = l.read(inst.operands[2], *type);
  l.write(inst.operands[0],
          inst.opcode == "and"  ? l.b.CreateAnd(x, y)
          : inst.opcode == "or" ? l.b.CreateOr(x, y)
                                : l.b.CreateXor(x, y),
          *type);
  return true;
}

bool unary(Lowering &l, const Instruction &inst) {
  std::optional<Type> type = bits_form(inst, 2);
  if (!type) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type);
  l.write(inst.operands[0], inst.opcode == "not" ? l.b.CreateNot(x) : l.b.CreateZExt(l.b.CreateIsNull(x), x->getType()), *type);
  return true;
}

/// lop3: bit i of the table is the result where the bits of a, b and c spell i.
bool table(Lowering &l, const Instruction &inst) {
  std::optional<Type> type = bits_form(inst, 5);
  if (!type || *type != kB32 || inst.operands[4].kind != Operand::Kind::Integer || inst.operands[4].value > 0xff) {
    return false;
  }
  Value *source[3];
  for (unsigned i = 0; i < 3; ++i) {
    source[i] = l.read(inst.operands[1 + i], kB32);
  }
  Value *result = l.b.getInt32(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (inst.operands[4].value >> row & 1) {
      Value *term = l.b.getInt32(~0u);
      for (unsigned i = 0; i < 3; ++i) {
        bool set = row >> (2 - i) & 1;
        term = l.b.CreateAnd(term, set ? source[i] : l.b.CreateNot(source[i]));
      }
      result = l.b.CreateOr(result, term);
    }
  }
  l.write(inst.operands[0], result, kB32);
  return true;
}

bool shift(Lowering &l, const Instruction &inst) {
  std::optional<Type> type = bits_form(inst, 3);
  if (!type || type->is_predicate() || type->lanes != 1) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type), *amount = l.read(inst.operands[2], kU32);
  Value *fits = l.b.CreateICmpULT(amount, l.b.getInt32(type->bits()));
  Value *safe = l.b.CreateSelect(fits, amount, l.b.getInt32(0));
  Value *value = nullptr;
  if (inst.opcode == "shr" && type->is_signed()) {
    Value *last = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, l.b.getInt32(type->bits() - 1));
    value = l.b.CreateAShr(x, l.b.CreateZExtOrTrunc(last, x->getType()));
  } else {
    safe = l.b.CreateZExtOrTrunc(safe, x->getType());
    Value *shifted = inst.opcode == "shl" ? l.b.CreateShl(x, safe) : l.b.CreateLShr(x, safe);
    value = l.b.CreateSelect(fits, shifted, l.integer(*type, 0));
  }
  l.write(inst.operands[0], value, *type);
  return true;
}

/// shf.l and shf.r shift the pair b:a; .clamp limits the amount to 32, .wrap takes it modulo 32.
bool funnel(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef side = suffixes.take_one_of({"l", "r"}), mode = suffixes.take_one_of({"clamp", "wrap"});
  if (side.empty() || mode.empty() || suffixes.take_type() != kB32 || !suffixes.empty() || inst.operands.size() != 4) {
    return false;
  }
  Value *low = l.read(inst.operands[1], kB32), *high = l.read(inst.operands[2], kB32);
  Value *amount = l.read(inst.operands[3], kB32);
  llvm::Intrinsic::ID wrap = side == "l" ? llvm::Intrinsic::fshl : llvm::Intrinsic::fshr;
  Value *value = mode == "clamp" ? l.nvvm(side == "l" ? "fshl.clamp" : "fshr.clamp", {high, low, amount})
                                 : l.call(wrap, {high, low, amount}, {l.b.getInt32Ty()});
  l.write(inst.operands[0], value, kB32);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"and", binary}, {"or", binary}, {"xor", binary}, {"not", unary}, {"cnot", unary},
    {"lop3", table}, {"shl", shift}, {"shr", shift},  {"shf", funnel},
};

}  // namespace

Opcodes logic_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

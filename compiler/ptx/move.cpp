// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves, packing and unpacking, byte permutation, conversions between address spaces.
#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

/// A part of a packed value: `count` equal parts of `type`.
Type part_of(Type type, size_t count) { return {Type::Kind::Bits, static_cast<uint8_t>(type.bits() / count), 1}; }

void pack(Lowering &l, const Instruction &inst, Type type) {
  const std::vector<Operand> &parts = inst.operands[1].parts;
  Type part = part_of(type, parts.size());
  Value *whole = l.integer(type, 0);
  for (size_t i = 0; i < parts.size(); ++i) {
    Value *bits = l.b.CreateZExt(l.read(parts[i], part), whole->getType());
    whole = l.b.CreateOr(whole, l.b.CreateShl(bits, i * part.bits()));
  }
  l.write(inst.operands[0], whole, type);
}

void unpack(Lowering &l, const Instruction &inst, Type type) {
  const std::vector<Operand> &parts = inst.operands[0].parts;
  Type part = part_of(type, parts.size());
  Value *whole = l.read(inst.operands[1], {Type::Kind::Bits, static_cast<uint8_t>(type.bits()), 1});
  for (size_t i = 0; i < parts.size(); ++i) {
    l.write(parts[i], l.b.CreateTrunc(l.b.CreateLShr(whole, i * part.bits()), l.type(part)), part);
  }
}

bool move(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  std::optional<Type> type = suffixes.take_type();
  if (!type || !suffixes.empty() || inst.operands.size() != 2) {
    return false;
  }
  bool packs = inst.operands[1].kind == Operand::Kind::Vector, unpacks = inst.operands[0].kind == Operand::Kind::Vector;
  const Operand &many = inst.operands[packs ? 1 : 0];
  if ((packs || unpacks) && (type->kind != Type::Kind::Bits || packs == unpacks || type->bits() % many.parts.size() != 0)) {
    return false;
  }
  if (packs) {
    pack(l, inst, *type);
  } else if (unpacks) {
    unpack(l, inst, *type);
  } else {
    l.write(inst.operands[0], l.read(inst.operands[1], *type), *type);
  }
  return true;
}

/// The modes without a name take bytes of two words by selectors; f4e and b4e too, by one number; the others take one word.
bool permute(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef mode = suffixes.take_one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  if (suffixes.take_type() != kB32 || !suffixes.empty() || inst.operands.size() != 4) {
    return false;
  }
  llvm::SmallVector<Value *, 3> arguments = {l.read(inst.operands[1], kB32)};
  if (mode.empty() || mode == "f4e" || mode == "b4e") {
    arguments.push_back(l.read(inst.operands[2], kB32));
  }
  arguments.push_back(l.read(inst.operands[3], kB32));
  l.write(inst.operands[0], l.nvvm(mode.empty() ? "prmt" : "prmt." + mode, arguments), kB32);
  return true;
}

std::optional<unsigned> take_space(Suffixes &suffixes) {
  static constexpr std::pair<llvm::StringLiteral, unsigned> kSpaces[] = {
      {"global", kGlobal}, {"shared", kShared}, {"shared::cta", kShared}, {"shared::cluster", kShared},
      {"const", kConst},   {"local", kLocal}};
  for (const auto &[name, space] : kSpaces) {
    if (suffixes.take(name)) {
      return space;
    }
  }
  return std::nullopt;
}

/// cvta.space: an address of the space becomes generic; cvta.to.space: the other way.
bool convert_address(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool to_space = suffixes.take("to");
  std::optional<unsigned> space = take_space(suffixes);
  std::optional<Type> type = suffixes.take_type();
  if (!space || !type || !type->is_integer() || !suffixes.empty() || inst.operands.size() != 2) {
    return false;
  }
  unsigned from = to_space ? kGeneric : *space, to = to_space ? *space : kGeneric;
  Operand address = Operand::address_of(inst.operands[1]);
  Value *converted = l.b.CreateAddrSpaceCast(l.pointer(address, from), l.b.getPtrTy(to));
  l.write(inst.operands[0], l.b.CreateZExtOrTrunc(l.b.CreatePtrToInt(converted, l.b.getInt64Ty()), l.type(*type)), *type);
  return true;
}

bool is_in_space(Lowering &l, const Instruction &inst) {
  if (inst.suffixes.size() != 1 || inst.operands.size() != 2) {
    return false;
  }
  if (llvm::StringRef space = inst.suffixes[0]; space == "param" || space == "param::entry") {
    llvm::Value *found =
        l.library("__hl_space_of", l.b.getInt32Ty(), {l.pointer(Operand::address_of(inst.operands[1]), kGeneric)});
    l.write(inst.operands[0], l.b.CreateICmpEQ(found, l.b.getInt32(3)), kPredicate);
    return true;
  }
  llvm::StringRef name = llvm::StringSwitch<llvm::StringRef>(inst.suffixes[0])
                             .Cases({"shared", "shared::cta"}, "isspacep.shared")
                             .Case("shared::cluster", "isspacep.shared.cluster")
                             .Case("global", "isspacep.global")
                             .Case("local", "isspacep.local")
                             .Case("const", "isspacep.const")
                             .Default("");
  if (name.empty()) {
    return false;
  }
  Operand address = Operand::address_of(inst.operands[1]);
  l.write(inst.operands[0], l.nvvm(name, {l.pointer(address, kGeneric)}), kPredicate);
  return true;
}

constexpr Opcode kOpcodes[] = {{"mov", move}, {"prmt", permute}, {"cvta", convert_address}, {"isspacep", is_in_space}};

}  // namespace

Opcodes move_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

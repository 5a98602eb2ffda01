// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp do together.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

/// d or d|p
const Operand &first_of(const Operand &operand) { return operand.kind == Operand::Kind::Pair ? operand.parts[0] : operand; }

/// shfl{.sync}.mode.b32 d{|p}, a, b, c{, mask}. Without .sync, the lanes that are active take part.
bool shuffle(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool sync = suffixes.take("sync");
  llvm::StringRef mode = suffixes.take_one_of({"up", "down", "bfly", "idx"});
  if (mode.empty() || suffixes.take_type() != kB32 || !suffixes.empty() || inst.operands.size() != (sync ? 5u : 4u)) {
    return false;
  }
  Value *mask = sync ? l.read(inst.operands[4], kB32) : l.nvvm("activemask");
  Value *arguments[] = {mask, l.read(inst.operands[1], kB32), l.read(inst.operands[2], kB32), l.read(inst.operands[3], kB32)};
  const Operand &out = inst.operands[0];
  if (out.kind != Operand::Kind::Pair) {
    l.write(out, l.nvvm("shfl.sync." + mode + ".i32", arguments), kB32);
    return true;
  }
  Value *both = l.nvvm("shfl.sync." + mode + ".i32p", arguments);
  l.write(out.parts[0], l.b.CreateExtractValue(both, 0), kB32);
  l.write(out.parts[1], l.b.CreateExtractValue(both, 1), kPredicate);
  return true;
}

bool vote(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool sync = suffixes.take("sync");
  llvm::StringRef mode = suffixes.take_one_of({"all", "any", "uni", "ballot"});
  Type type = mode == "ballot" ? kB32 : kPredicate;
  if (mode.empty() || suffixes.take_type() != type || !suffixes.empty() || inst.operands.size() != (sync ? 3u : 2u)) {
    return false;
  }
  Value *mask = sync ? l.read(inst.operands[2], kB32) : l.nvvm("activemask");
  l.write(inst.operands[0], l.nvvm("vote." + mode + ".sync", {mask, l.read(inst.operands[1], kPredicate)}), type);
  return true;
}

bool match(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef mode = suffixes.take_one_of({"any", "all"});
  bool sync = suffixes.take("sync");
  std::optional<Type> type = suffixes.take_type();
  if (mode.empty() || !sync || (type != kB32 && type != kB64) || !suffixes.empty() || inst.operands.size() != 3) {
    return false;
  }
  std::string name = ("match." + mode + ".sync.i" + llvm::Twine(type->bits())).str();
  Value *mask = l.read(inst.operands[2], kB32), *value = l.read(inst.operands[1], *type);
  if (mode == "any") {
    l.write(inst.operands[0], l.nvvm(name, {mask, value}), kB32);
    return true;
  }
  Value *both = l.nvvm(name + "p", {mask, value});
  l.write(first_of(inst.operands[0]), l.b.CreateExtractValue(both, 0), kB32);
  if (inst.operands[0].kind == Operand::Kind::Pair) {
    l.write(inst.operands[0].parts[1], l.b.CreateExtractValue(both, 1), kPredicate);
  }
  return true;
}

bool reduce(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool sync = suffixes.take("sync");
  llvm::StringRef op = suffixes.take_one_of({"add", "min", "max", "and", "or", "xor"});
  std::optional<Type> type = suffixes.take_type();
  if (!sync || op.empty() || !type || !type->is_integer() || type->bits() != 32 || !suffixes.empty() || inst.operands.size() != 3) {
    return false;
  }
  bool is_unsigned = type->kind == Type::Kind::Unsigned && (op == "min" || op == "max");
  Value *value = l.nvvm(llvm::Twine("redux.sync.") + (is_unsigned ? "u" : "") + op,
                        {l.read(inst.operands[1], kB32), l.read(inst.operands[2], kB32)});
  l.write(inst.operands[0], value, kB32);
  return true;
}

bool active_mask(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (suffixes.take_type() != kB32 || !suffixes.empty() || inst.operands.size() != 1) {
    return false;
  }
  l.write(inst.operands[0], l.nvvm("activemask"), kB32);
  return true;
}

bool elect(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("sync") || !suffixes.empty() || inst.operands.size() != 2 || inst.operands[0].kind != Operand::Kind::Pair) {
    return false;
  }
  Value *both = l.nvvm("elect.sync", {l.read(inst.operands[1], kB32)});
  l.write(inst.operands[0].parts[0], l.b.CreateExtractValue(both, 0), kB32);
  l.write(inst.operands[0].parts[1], l.b.CreateExtractValue(both, 1), kPredicate);
  return true;
}

constexpr Opcode kOpcodes[] = {{"shfl", shuffle}, {"vote", vote},  {"match", match},
                               {"redux", reduce}, {"activemask", active_mask}, {"elect", elect}};

}  // namespace

Opcodes warp_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons and selections.
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/lower/math_emitters.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;
using Predicate = llvm::CmpInst::Predicate;

struct Comparison {
  llvm::StringLiteral name;
  Predicate is_signed, is_unsigned, is_float;
};
constexpr Predicate kNone = llvm::CmpInst::BAD_ICMP_PREDICATE;
using P = llvm::CmpInst;
constexpr Comparison kComparisons[] = {
    {"eq", P::ICMP_EQ, P::ICMP_EQ, P::FCMP_OEQ},   {"ne", P::ICMP_NE, P::ICMP_NE, P::FCMP_ONE},
    {"lt", P::ICMP_SLT, P::ICMP_ULT, P::FCMP_OLT}, {"le", P::ICMP_SLE, P::ICMP_ULE, P::FCMP_OLE},
    {"gt", P::ICMP_SGT, P::ICMP_UGT, P::FCMP_OGT}, {"ge", P::ICMP_SGE, P::ICMP_UGE, P::FCMP_OGE},
    {"lo", kNone, P::ICMP_ULT, kNone},             {"ls", kNone, P::ICMP_ULE, kNone},
    {"hi", kNone, P::ICMP_UGT, kNone},             {"hs", kNone, P::ICMP_UGE, kNone},
    {"equ", kNone, kNone, P::FCMP_UEQ},            {"neu", kNone, kNone, P::FCMP_UNE},
    {"ltu", kNone, kNone, P::FCMP_ULT},            {"leu", kNone, kNone, P::FCMP_ULE},
    {"gtu", kNone, kNone, P::FCMP_UGT},            {"geu", kNone, kNone, P::FCMP_UGE},
    {"num", kNone, kNone, P::FCMP_ORD},            {"nan", kNone, kNone, P::FCMP_UNO},
};

/// The comparison that a suffix names for a type, taken from the suffixes.
Predicate take_comparison(Suffixes &suffixes, Type type) {
  for (const Comparison &known : kComparisons) {
    if (suffixes.take(known.name)) {
      return type.is_float() ? known.is_float : type.is_signed() ? known.is_signed : known.is_unsigned;
    }
  }
  return kNone;
}

Value *combine(Lowering &l, llvm::StringRef op, Value *x, Value *y) {
  return op == "and" ? l.b.CreateAnd(x, y) : op == "or" ? l.b.CreateOr(x, y) : op == "xor" ? l.b.CreateXor(x, y) : x;
}

Value *compared(Lowering &l, const Instruction &inst, Predicate predicate, Type type, bool ftz) {
  Value *x = l.read(inst.operands[1], type), *y = l.read(inst.operands[2], type);
  return ftz ? l.b.CreateCmp(predicate, flush(l.b, x), flush(l.b, y)) : l.b.CreateCmp(predicate, x, y);
}

/// The third source of setp and set, for as many results as the comparison has.
Value *third_source(Lowering &l, const Instruction &inst, Value *like) {
  Value *source = l.read(inst.operands[3], kPredicate);
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(like->getType());
  return vector ? l.b.CreateVectorSplat(vector->getNumElements(), source) : source;
}

/// setp p, a, b; setp p|q, a, b: q is the opposite, or for pairs of halves the upper one's result.
bool set_predicate(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef op = suffixes.take_one_of({"and", "or", "xor"});
  bool ftz = suffixes.take("ftz");
  std::optional<Type> type = suffixes.take_type();
  if (!type || type->is_predicate() || inst.operands.size() != (op.empty() ? 3u : 4u)) {
    return false;
  }
  Predicate predicate = take_comparison(suffixes, *type);
  bool is_pair = inst.operands[0].kind == Operand::Kind::Pair;
  if (predicate == kNone || !suffixes.empty() || (type->lanes == 2 && !is_pair)) {
    return false;
  }
  Value *first = compared(l, inst, predicate, *type, ftz), *second = nullptr;
  if (type->lanes == 2) {
    Value *both = op.empty() ? first : combine(l, op, first, third_source(l, inst, first));
    first = l.b.CreateExtractElement(both, uint64_t{0});
    second = l.b.CreateExtractElement(both, uint64_t{1});
  } else {
    second = l.b.CreateNot(first);
    if (!op.empty()) {
      Value *source = third_source(l, inst, first);
      first = combine(l, op, first, source);
      second = combine(l, op, second, source);
    }
  }
  if (!is_pair) {
    l.write(inst.operands[0], first, kPredicate);
    return true;
  }
  l.write(inst.operands[0].parts[0], first, kPredicate);
  l.write(inst.operands[0].parts[1], second, kPredicate);
  return true;
}

/// What `set` stores for a true or false result: 1.0 or all ones.
Value *as_result(Lowering &l, Value *condition, Type to) {
  if (!to.is_float()) {
    return l.b.CreateSExt(condition, condition->getType()->getWithNewBitWidth(to.bits() / (condition->getType()->isVectorTy() ? 2 : 1)));
  }
  return l.b.CreateUIToFP(condition, condition->getType()->getWithNewType(l.type(to.lane())));
}

bool set(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef op = suffixes.take_one_of({"and", "or", "xor"});
  bool ftz = suffixes.take("ftz");
  std::optional<Type> to = suffixes.take_type(), type = suffixes.take_type();
  if (!type || inst.operands.size() != (op.empty() ? 3u : 4u)) {
    return false;
  }
  Predicate predicate = take_comparison(suffixes, *type);
  if (predicate == kNone || !suffixes.empty() || (type->lanes == 1 && to->lanes != 1) ||
      (type->lanes == 2 && to->bits() != 32)) {
    return false;
  }
  Value *condition = compared(l, inst, predicate, *type, ftz);
  if (!op.empty()) {
    condition = combine(l, op, condition, third_source(l, inst, condition));
  }
  l.write(inst.operands[0], as_result(l, condition, *to), *to);
  return true;
}

bool select_by_predicate(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  std::optional<Type> type = suffixes.take_type();
  if (!type || !suffixes.empty() || inst.operands.size() != 4) {
    return false;
  }
  Value *x = l.read(inst.operands[1], *type), *y = l.read(inst.operands[2], *type);
  l.write(inst.operands[0], l.b.CreateSelect(l.read(inst.operands[3], kPredicate), x, y), *type);
  return true;
}

/// slct d, a, b, c: a when c is not negative.
bool select_by_sign(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool ftz = suffixes.take("ftz");
  std::optional<Type> type = suffixes.take_type(), by = suffixes.take_type();
  if (!by || (*by != kS32 && *by != kF32) || !suffixes.empty() || inst.operands.size() != 4) {
    return false;
  }
  Value *c = l.read(inst.operands[3], *by);
  if (ftz) {
    c = flush(l.b, c);
  }
  Value *zero = llvm::Constant::getNullValue(c->getType());
  Value *takes_first = by->is_float() ? l.b.CreateFCmpOGE(c, zero) : l.b.CreateICmpSGE(c, zero);
  l.write(inst.operands[0],
          l.b.CreateSelect(takes_first, l.read(inst.operands[1], *type), l.read(inst.operands[2], *type)), *type);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"setp", set_predicate}, {"set", set}, {"selp", select_by_predicate}, {"slct", select_by_sign}};

}  // namespace

Opcodes compare_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

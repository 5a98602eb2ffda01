// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Video instructions on two or four lanes of a word: vadd2 vsub4 vavrg4 vabsdiff4 vmin2 vmax4 vset4, with byte masks off.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

/// d.a.b types, .sat, and whether the lanes are added up to c instead of merged into it.
struct Form {
  llvm::StringRef operation;
  unsigned lanes = 0;
  Type result, a, b;
  bool sat = false, add = false;
  llvm::CmpInst::Predicate compare = llvm::CmpInst::BAD_ICMP_PREDICATE;
};

std::optional<Form> parse_form(const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef name = inst.opcode;
  Form form;
  form.operation = name.drop_front().drop_back();
  form.lanes = name.ends_with("4") ? 4 : 2;
  form.sat = suffixes.take("sat");
  form.add = suffixes.take("add");
  std::optional<Type> first = suffixes.take_type(), second = suffixes.take_type(), third = suffixes.take_type();
  bool is_set = form.operation == "set";
  if (is_set) {
    bool is_signed = first && first->is_signed();
    using P = llvm::CmpInst;
    form.compare = llvm::StringSwitch<P::Predicate>(suffixes.take_one_of({"eq", "ne", "lt", "le", "gt", "ge"}))
                       .Case("eq", P::ICMP_EQ)
                       .Case("ne", P::ICMP_NE)
                       .Case("lt", is_signed ? P::ICMP_SLT : P::ICMP_ULT)
                       .Case("le", is_signed ? P::ICMP_SLE : P::ICMP_ULE)
                       .Case("gt", is_signed ? P::ICMP_SGT : P::ICMP_UGT)
                       .Case("ge", is_signed ? P::ICMP_SGE : P::ICMP_UGE)
                       .Default(P::BAD_ICMP_PREDICATE);
    third = second;
    second = first;
    first = kU32;
  }
  bool good = first && second && third && first->bits() == 32 && second->bits() == 32 && third->bits() == 32 && suffixes.empty() &&
              inst.operands.size() == 4 && (!is_set || (form.compare != llvm::CmpInst::BAD_ICMP_PREDICATE && !form.sat)) &&
              !(form.sat && form.add);
  if (!good) {
    return std::nullopt;
  }
  form.result = *first;
  form.a = *second;
  form.b = *third;
  return form;
}

/// A lane, extended by its type.
Value *lane(Lowering &l, Value *word, unsigned number, unsigned bits, Type type) {
  Value *up = l.b.CreateShl(word, 32 - bits * (number + 1));
  return type.is_signed() ? l.b.CreateAShr(up, 32 - bits) : l.b.CreateLShr(up, 32 - bits);
}

/// 32 bits hold every result of lanes of at most 16 bits.
Value *compute(Lowering &l, const Form &form, Value *x, Value *y) {
  if (form.operation == "add") {
    return l.b.CreateAdd(x, y);
  }
  if (form.operation == "sub") {
    return l.b.CreateSub(x, y);
  }
  if (form.operation == "avrg") {  // rounded up
    return l.b.CreateAShr(l.b.CreateAdd(l.b.CreateAdd(x, y), l.b.getInt32(1)), 1);
  }
  if (form.operation == "absdiff") {
    return l.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, l.b.CreateSub(x, y), l.b.getFalse());
  }
  if (form.operation == "set") {
    return l.b.CreateZExt(l.b.CreateICmp(form.compare, x, y), l.b.getInt32Ty());
  }
  return l.b.CreateBinaryIntrinsic(form.operation == "min" ? llvm::Intrinsic::smin : llvm::Intrinsic::smax, x, y);
}

Value *saturate(Lowering &l, const Form &form, Value *x, unsigned bits) {
  int low = form.result.is_signed() ? -(1 << (bits - 1)) : 0;
  int high = form.result.is_signed() ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  x = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, l.b.getInt32(static_cast<uint32_t>(low)));
  return l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, l.b.getInt32(static_cast<uint32_t>(high)));
}

bool lanes(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst);
  if (!form) {
    return false;
  }
  unsigned bits = 32 / form->lanes;
  Value *a = l.read(inst.operands[1], kB32), *b = l.read(inst.operands[2], kB32);
  Value *c = l.read(inst.operands[3], kB32);
  Value *merged = l.b.getInt32(0), *sum = c;
  for (unsigned i = 0; i < form->lanes; ++i) {
    Value *value = compute(l, *form, lane(l, a, i, bits, form->a), lane(l, b, i, bits, form->b));
    if (form->sat) {
      value = saturate(l, *form, value, bits);
    }
    sum = l.b.CreateAdd(sum, value);
    Value *cut = l.b.CreateAnd(value, (uint64_t{1} << bits) - 1);
    merged = l.b.CreateOr(merged, l.b.CreateShl(cut, bits * i));
  }
  l.write(inst.operands[0], form->add ? sum : merged, kB32);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"vadd2", lanes},     {"vadd4", lanes},     {"vsub2", lanes}, {"vsub4", lanes}, {"vavrg2", lanes}, {"vavrg4", lanes},
    {"vabsdiff2", lanes}, {"vabsdiff4", lanes}, {"vmin2", lanes}, {"vmin4", lanes}, {"vmax2", lanes},  {"vmax4", lanes},
    {"vset2", lanes},     {"vset4", lanes},
};

}  // namespace

Opcodes video_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

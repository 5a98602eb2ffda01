// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations and fences.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/access.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;
using Op = llvm::AtomicRMWInst::BinOp;

struct Form {
  Access access;
  Type type;
  llvm::StringRef operation;
  unsigned count = 1;
};

std::optional<Form> parse_form(const Instruction &inst) {
  Suffixes suffixes(inst);
  suffixes.take("async");
  Form form;
  form.access = take_access(suffixes);
  form.operation = suffixes.take_one_of({"add", "and", "or", "xor", "exch", "cas", "min", "max", "inc", "dec"});
  suffixes.take("noftz");
  llvm::StringRef vector = suffixes.take_one_of({"v2", "v4", "v8"});
  vector.drop_front(vector.empty() ? 0 : 1).getAsInteger(10, form.count);
  std::optional<Type> type = suffixes.take_type();
  if (!type || form.operation.empty() || !suffixes.empty() || type->is_predicate()) {
    return std::nullopt;
  }
  form.type = *type;
  if (form.access.order == llvm::AtomicOrdering::NotAtomic) {
    form.access.order = llvm::AtomicOrdering::Monotonic;
  }
  return form;
}

std::optional<Op> operation(llvm::StringRef name, Type type) {
  bool is_float = type.is_float();
  std::optional<Op> integer = llvm::StringSwitch<std::optional<Op>>(name)
                                  .Case("add", Op::Add)
                                  .Case("min", type.is_signed() ? Op::Min : Op::UMin)
                                  .Case("max", type.is_signed() ? Op::Max : Op::UMax)
                                  .Case("and", Op::And)
                                  .Case("or", Op::Or)
                                  .Case("xor", Op::Xor)
                                  .Case("exch", Op::Xchg)
                                  .Case("inc", Op::UIncWrap)
                                  .Case("dec", Op::UDecWrap)
                                  .Default(std::nullopt);
  return is_float ? (name == "add" ? std::optional(Op::FAdd) : std::nullopt) : integer;
}

/// One element's operation, a half of a pair at a time.
Value *update(Lowering &l, const Form &form, Op op, Value *pointer, Value *value) {
  llvm::Align align(form.type.lane_bits / 8);
  if (form.type.lanes == 1) {
    return l.b.CreateAtomicRMW(op, pointer, value, align, form.access.order);
  }
  Value *old = llvm::PoisonValue::get(value->getType());
  for (uint64_t i = 0; i < form.type.lanes; ++i) {
    Value *place = l.b.CreateConstInBoundsGEP1_64(l.b.getInt8Ty(), pointer, i * align.value());
    Value *lane = l.b.CreateAtomicRMW(op, place, l.b.CreateExtractElement(value, i), align, form.access.order);
    old = l.b.CreateInsertElement(old, lane, i);
  }
  return old;
}

Value *compare_and_swap(Lowering &l, const Form &form, Value *pointer, const Operand &expected, const Operand &wanted) {
  using Order = llvm::AtomicOrdering;
  Order failure = form.access.order == Order::AcquireRelease ? Order::Acquire
                  : form.access.order == Order::Release      ? Order::Monotonic
                                                             : form.access.order;
  Value *pair = l.b.CreateAtomicCmpXchg(pointer, l.read(expected, form.type), l.read(wanted, form.type),
                                        llvm::Align(form.type.bits() / 8), form.access.order, failure);
  return l.b.CreateExtractValue(pair, 0);
}

const Operand &part(const Operand &data, unsigned i) { return data.kind == Operand::Kind::Vector ? data.parts[i] : data; }

/// atom gives the old value, red does not.
bool atomic(Lowering &l, const Instruction &inst) {
  std::optional<Form> form = parse_form(inst);
  bool gives = inst.opcode == "atom";
  size_t first = gives ? 1 : 0;  // the address
  size_t operands = first + (form && form->operation == "cas" ? 3 : 2) + (form && form->access.has_policy ? 1 : 0);
  if (!form || inst.operands.size() != operands) {
    return false;
  }
  const Operand &data = inst.operands[first + 1];
  if ((data.kind == Operand::Kind::Vector) != (form->count > 1) || (form->count > 1 && data.parts.size() != form->count)) {
    return false;
  }
  Value *pointer = l.pointer(inst.operands[first], form->access.space);
  if (form->operation == "cas") {
    if (!form->type.is_integer() || form->count != 1) {
      return false;
    }
    Value *old = compare_and_swap(l, *form, pointer, data, inst.operands[first + 2]);
    if (gives) {
      l.write(inst.operands[0], old, form->type);
    }
    return true;
  }
  std::optional<Op> op = operation(form->operation, form->type);
  if (!op) {
    return false;
  }
  for (unsigned i = 0; i < form->count; ++i) {
    Value *place = i ? l.b.CreateConstInBoundsGEP1_64(l.b.getInt8Ty(), pointer, i * form->type.bits() / 8) : pointer;
    Value *old = update(l, *form, *op, place, l.read(part(data, i), form->type));
    if (gives) {
      l.write(part(inst.operands[0], i), old, form->type);
    }
  }
  return true;
}

/// membar.level, fence{.sem}.scope, fence.proxy…: every proxy sees one memory.
bool fence(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool proxy = suffixes.take("proxy");
  suffixes.drop(proxy ? "async" : "sync_restrict");
  if (proxy) {
    suffixes.take_one_of({"alias", "tensormap::generic"});
    suffixes.take_one_of({"global", "shared::cta", "shared::cluster"});
  }
  suffixes.take("mbarrier_init");
  suffixes.take_one_of({"sc", "acq_rel", "acquire", "release"});
  llvm::StringRef scope = suffixes.take_one_of({"cta", "cluster", "gpu", "gl", "sys"});
  if (!suffixes.empty() || (scope.empty() && !proxy)) {
    return false;
  }
  l.nvvm(scope == "cta" ? "membar.cta" : scope == "sys" || proxy ? "membar.sys" : "membar.gl");
  return true;
}

constexpr Opcode kOpcodes[] = {{"atom", atomic}, {"red", atomic}, {"fence", fence}, {"membar", fence}};

}  // namespace

Opcodes atomic_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

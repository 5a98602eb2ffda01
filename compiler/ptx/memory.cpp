// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and hints. A strong access of a vector is one access of its size, which decoupled look-back counts on.
#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/access.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {

Access take_access(Suffixes &suffixes) {
  using Order = llvm::AtomicOrdering;
  Access access;
  static constexpr std::pair<llvm::StringLiteral, Order> kOrders[] = {
      {"relaxed", Order::Monotonic}, {"acquire", Order::Acquire}, {"release", Order::Release}, {"acq_rel", Order::AcquireRelease}};
  for (const auto &[name, order] : kOrders) {
    if (suffixes.take(name)) {
      access.order = order;
    }
  }
  bool weak = suffixes.take("weak");
  access.is_volatile = suffixes.take("volatile") || suffixes.take("mmio");
  llvm::StringRef scope = suffixes.take_one_of({"cta", "cluster", "gpu", "sys"});
  static constexpr std::pair<llvm::StringLiteral, unsigned> kSpaces[] = {
      {"global", kGlobal},         {"shared", kShared},  {"shared::cta", kShared},
      {"shared::cluster", kShared}, {"const", kConst},   {"local", kLocal}};
  for (const auto &[name, space] : kSpaces) {
    if (suffixes.take(name)) {
      access.space = space;
      break;
    }
  }
  access.is_read_only = suffixes.take("nc");
  llvm::StringRef cache = suffixes.take_one_of({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  access.keeps_cached = cache != "cg" && cache != "cv" && cache != "wt";
  access.has_policy = suffixes.take("L2::cache_hint");
  suffixes.drop("L1::");
  suffixes.drop("L2::");
  suffixes.take("unified");
  access.is_legal = !(weak && (access.order != Order::NotAtomic || access.is_volatile)) &&
                    (scope.empty() || access.order != Order::NotAtomic || access.is_volatile);
  return access;
}

namespace {

using llvm::Value;

struct Form {
  Access access;
  Type type;
  unsigned count = 1;  ///< .v2 .v4 .v8
};

std::optional<Form> parse_form(const Instruction &inst, const Operand &data) {
  Suffixes suffixes(inst);
  Form form;
  form.access = take_access(suffixes);
  llvm::StringRef vector = suffixes.take_one_of({"v2", "v4", "v8"});
  vector.drop_front(vector.empty() ? 0 : 1).getAsInteger(10, form.count);
  std::optional<Type> type = suffixes.take_type();
  size_t operands = form.access.has_policy ? 3 : 2;
  bool is_vector = data.kind == Operand::Kind::Vector;
  if (!type || !suffixes.empty() || !form.access.is_legal || inst.operands.size() != operands || is_vector != (form.count > 1) ||
      (is_vector && data.parts.size() != form.count) || type->is_predicate()) {
    return std::nullopt;
  }
  form.type = *type;
  return form;
}

const Operand &part(const Operand &data, unsigned i) { return data.kind == Operand::Kind::Vector ? data.parts[i] : data; }

/// A weak access of a statement that is `volatile` happens each time: programs poll with .cg and .cv.
bool is_repeated(Lowering &l, const Access &access) {
  return access.is_volatile || (l.is_volatile() && !access.is_read_only && !access.keeps_cached);
}

Type whole_type(const Form &form) {
  return {Type::Kind::Bits, static_cast<uint8_t>(form.type.bits() * form.count), 1};
}

bool load_strong(Lowering &l, const Form &form, const Operand &data, Value *pointer) {
  Type whole = whole_type(form);
  if (form.type.bits() * form.count > 128 || form.access.order == llvm::AtomicOrdering::Release) {
    return false;
  }
  llvm::LoadInst *load = l.b.CreateAlignedLoad(l.type(whole), pointer, llvm::Align(whole.bits() / 8));
  load->setAtomic(form.access.order);
  load->setVolatile(form.access.is_volatile);
  for (unsigned i = 0; i < form.count; ++i) {
    Value *bits = l.b.CreateTrunc(l.b.CreateLShr(load, i * form.type.bits()), l.b.getIntNTy(form.type.bits()));
    l.write(part(data, i), bits, form.type);
  }
  return true;
}

bool load(Lowering &l, const Instruction &inst) {
  if (inst.operands.size() < 2) {
    return false;
  }
  const Operand &data = inst.operands[0];
  std::optional<Form> form = parse_form(inst, data);
  if (!form) {
    return false;
  }
  Value *pointer = l.pointer(inst.operands[1], form->access.space);
  if (form->access.order != llvm::AtomicOrdering::NotAtomic) {
    return load_strong(l, *form, data, pointer);
  }
  uint64_t bytes = form->type.bits() / 8;
  for (unsigned i = 0; i < form->count; ++i) {
    Value *place = i ? l.b.CreateConstInBoundsGEP1_64(l.b.getInt8Ty(), pointer, i * bytes) : pointer;
    Value *value = l.b.CreateAlignedLoad(l.type(form->type), place, llvm::Align(bytes), is_repeated(l, form->access));
    l.write(part(data, i), value, form->type);
  }
  return true;
}

bool store_strong(Lowering &l, const Form &form, const Operand &data, Value *pointer) {
  Type whole = whole_type(form);
  if (form.type.bits() * form.count > 128 || form.access.order == llvm::AtomicOrdering::Acquire) {
    return false;
  }
  Value *bits = l.integer(whole, 0);
  Type lane{Type::Kind::Bits, static_cast<uint8_t>(form.type.bits()), 1};
  for (unsigned i = 0; i < form.count; ++i) {
    Value *wide = l.b.CreateZExt(l.read(part(data, i), lane), l.type(whole));
    bits = l.b.CreateOr(bits, l.b.CreateShl(wide, i * form.type.bits()));
  }
  llvm::StoreInst *store = l.b.CreateAlignedStore(bits, pointer, llvm::Align(whole.bits() / 8));
  store->setAtomic(form.access.order);
  store->setVolatile(form.access.is_volatile);
  return true;
}

bool store(Lowering &l, const Instruction &inst) {
  if (inst.operands.size() < 2) {
    return false;
  }
  const Operand &data = inst.operands[1];
  std::optional<Form> form = parse_form(inst, data);
  if (!form || form->access.is_read_only) {
    return false;
  }
  Value *pointer = l.pointer(inst.operands[0], form->access.space);
  if (form->access.order != llvm::AtomicOrdering::NotAtomic) {
    return store_strong(l, *form, data, pointer);
  }
  uint64_t bytes = form->type.bits() / 8;
  for (unsigned i = 0; i < form->count; ++i) {
    Value *place = i ? l.b.CreateConstInBoundsGEP1_64(l.b.getInt8Ty(), pointer, i * bytes) : pointer;
    l.b.CreateAlignedStore(l.read(part(data, i), form->type), place, llvm::Align(bytes), is_repeated(l, form->access));
  }
  return true;
}

/// Nothing to do on a CPU; what the instruction would have to check is checked by the accesses themselves.
bool hint(Lowering &, const Instruction &) { return true; }

/// createpolicy gives a handle that only cache hints use.
bool make_policy(Lowering &l, const Instruction &inst) {
  if (inst.operands.empty()) {
    return false;
  }
  l.write(inst.operands[0], l.b.getInt64(0), kB64);
  return true;
}

constexpr Opcode kOpcodes[] = {
    {"ld", load},         {"ldu", load},     {"st", store},          {"prefetch", hint},
    {"prefetchu", hint},  {"discard", hint}, {"applypriority", hint}, {"createpolicy", make_policy},
};

}  // namespace

Opcodes memory_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

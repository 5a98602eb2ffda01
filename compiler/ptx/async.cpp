// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies, which are done at once here, and the barriers in shared memory that wait for them.
#include "compiler/ir/kernel_facts.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

Value *generic(Lowering &l, const Operand &address, unsigned space) {
  return l.b.CreateAddrSpaceCast(l.pointer(address, space), l.b.getPtrTy());
}

/// Waiting for copies that are complete already.
bool is_group_note(Suffixes &suffixes) {
  suffixes.take("bulk");
  suffixes.take("read");
  return !suffixes.take_one_of({"commit_group", "wait_group", "wait_all"}).empty() && suffixes.empty();
}

/// cp.async.ca.shared.global [to], [from], size{, bytes that exist}{, policy}
bool copy_async(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("async")) {
    return false;
  }
  if (is_group_note(suffixes)) {
    return true;
  }
  suffixes = Suffixes(inst);
  suffixes.take("async");
  bool legal = !suffixes.take_one_of({"ca", "cg"}).empty() && !suffixes.take_one_of({"shared", "shared::cta"}).empty() &&
               suffixes.take("global");
  bool has_policy = suffixes.take("L2::cache_hint");
  suffixes.drop("L2::");
  size_t operands = inst.operands.size() - (has_policy ? 1 : 0);
  if (!legal || !suffixes.empty() || operands < 3 || operands > 4 || inst.operands[2].kind != Operand::Kind::Integer) {
    return false;
  }
  uint64_t bytes = inst.operands[2].value;
  if (bytes != 4 && bytes != 8 && bytes != 16) {
    return l.fail("cp.async copies 4, 8 or 16 bytes");
  }
  Value *to = generic(l, inst.operands[0], kShared), *from = generic(l, inst.operands[1], kGlobal);
  if (operands == 4) {
    if (l.is_predicate(inst.operands[3])) {
      return l.fail("cp.async with a predicate is not supported");
    }
    l.library("__hl_copy_or_zero", l.b.getVoidTy(),
              {to, from, l.b.getInt32(static_cast<uint32_t>(bytes)), l.read(inst.operands[3], kU32)});
    return true;
  }
  for (uint64_t at = 0; at < bytes; at += 4) {
    Value *word = l.b.CreateAlignedLoad(l.b.getInt32Ty(), l.b.CreateConstInBoundsGEP1_64(l.b.getInt8Ty(), from, at), llvm::Align(4));
    l.b.CreateAlignedStore(word, l.b.CreateConstInBoundsGEP1_64(l.b.getInt8Ty(), to, at), llvm::Align(4));
  }
  return true;
}

/// cp.async.bulk.to.from.completion [to], [from], size{, [barrier]}
bool copy_bulk(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("async") || !suffixes.take("bulk") || inst.suffixes.size() < 4) {
    return false;
  }
  bool by_barrier = suffixes.take("mbarrier::complete_tx::bytes"), by_group = suffixes.take("bulk_group");
  bool to_shared = llvm::StringRef(inst.suffixes[2]).starts_with("shared");
  bool legal = suffixes.take("global") && !suffixes.take_one_of({"shared::cta", "shared::cluster"}).empty();
  bool has_policy = suffixes.take("L2::cache_hint");
  if (!legal || by_barrier == by_group || !suffixes.empty() ||
      inst.operands.size() != (by_barrier ? 4u : 3u) + (has_policy ? 1u : 0u)) {
    return false;
  }
  Value *to = generic(l, inst.operands[0], to_shared ? kShared : kGlobal);
  Value *from = generic(l, inst.operands[1], to_shared ? kGlobal : kShared);
  Value *bytes = l.read(inst.operands[2], kU32);
  l.library("__hl_copy_or_zero", l.b.getVoidTy(), {to, from, bytes, bytes});
  if (by_barrier) {
    l.library("__hl_mbarrier_complete", l.b.getVoidTy(), {generic(l, inst.operands[3], kShared), bytes});
  }
  return true;
}

/// The operations of bulk reductions, and the types that each has, as the library's functions name them.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kReductions[] = {
    {"add", "u32 s32 u64 s64 f16 bf16 f32 f64"},
    {"min", "u32 s32 u64 s64 f16 bf16"},
    {"max", "u32 s32 u64 s64 f16 bf16"},
    {"and", "b32 b64"},
    {"or", "b32 b64"},
    {"xor", "b32 b64"}};

/// cp.reduce.async.bulk.to.from.completion.operation{.noftz}.type [to], [from], size{, [barrier]}
bool reduce_bulk(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("reduce") || !suffixes.take("async") || !suffixes.take("bulk")) {
    return false;
  }
  bool by_barrier = suffixes.take("mbarrier::complete_tx::bytes"), by_group = suffixes.take("bulk_group");
  bool to_shared = suffixes.take("shared::cluster"), to_global = suffixes.take("global");
  bool legal =
      suffixes.take("shared::cta") && to_shared == by_barrier && to_global == by_group && to_shared != to_global;
  bool has_policy = suffixes.take("L2::cache_hint");
  suffixes.take("noftz");
  llvm::ArrayRef<llvm::StringRef> rest = suffixes.rest();  // operation, type
  if (!legal || rest.size() != 2 || inst.operands.size() != (by_barrier ? 4u : 3u) + (has_policy ? 1u : 0u)) {
    return false;
  }
  bool is_known = llvm::any_of(kReductions, [&](const auto &row) {
    llvm::SmallVector<llvm::StringRef, 8> types;
    row.second.split(types, ' ');
    return row.first == rest[0] && llvm::is_contained(types, rest[1]);
  });
  if (!is_known) {
    return false;
  }
  Value *to = generic(l, inst.operands[0], to_shared ? kShared : kGlobal),
        *from = generic(l, inst.operands[1], kShared);
  Value *bytes = l.read(inst.operands[2], kU32);
  l.library(("__hl_bulk_" + rest[0] + "_" + rest[1]).str(), l.b.getVoidTy(), {to, from, bytes});
  if (by_barrier) {
    l.library("__hl_mbarrier_complete", l.b.getVoidTy(), {generic(l, inst.operands[3], kShared), bytes});
  }
  return true;
}

/// cp.async.bulk.prefetch.L2.global [from], size{, policy}: nothing that a program could tell.
bool prefetch_bulk(Lowering &, const Instruction &inst) {
  Suffixes suffixes(inst);
  bool legal = suffixes.take("async") && suffixes.take("bulk") && suffixes.take("prefetch") && suffixes.take("L2") &&
               suffixes.take("global");
  bool has_policy = suffixes.take("L2::cache_hint");
  return legal && suffixes.empty() && inst.operands.size() == (has_policy ? 3u : 2u);
}

/// cp.async.mbarrier.arrive{.noinc}: the copies are complete, so that only the arrival remains. Without .noinc the arrival is
/// one that the barrier's count does not know of, and nothing happens.
bool copy_arrive(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("async") || !suffixes.take("mbarrier") || !suffixes.take("arrive")) {
    return false;
  }
  bool counted = suffixes.take("noinc");
  unsigned space = suffixes.take_one_of({"shared", "shared::cta"}).empty() ? kGeneric : kShared;
  if (suffixes.take_type() != kB64 || !suffixes.empty() || inst.operands.size() != 1) {
    return false;
  }
  if (counted) {
    l.library("__hl_mbarrier_arrive", l.b.getInt64Ty(),
              {generic(l, inst.operands[0], space), l.b.getInt32(1), l.b.getInt32(0), l.b.getInt32(0)});
  }
  return true;
}

/// The words of an mbarrier instruction.
struct BarrierForm {
  llvm::StringRef kind;
  bool parity = false, expects = false;
  unsigned space = kGeneric;
};

std::optional<BarrierForm> parse_barrier(const Instruction &inst) {
  Suffixes suffixes(inst);
  BarrierForm form;
  form.kind = suffixes.take_one_of({"init", "inval", "arrive", "arrive_drop", "test_wait", "try_wait", "expect_tx",
                                    "complete_tx", "pending_count"});
  if (form.kind == "arrive" || form.kind == "arrive_drop") {
    form.expects = suffixes.take("expect_tx");
    suffixes.take("noComplete");
  }
  form.parity = suffixes.take("parity");
  suffixes.take_one_of({"release", "acquire", "relaxed"});
  suffixes.take_one_of({"cta", "cluster"});
  if (!suffixes.take_one_of({"shared", "shared::cta", "shared::cluster"}).empty()) {
    form.space = kShared;
  }
  return !form.kind.empty() && suffixes.take_type() == kB64 && suffixes.empty() ? std::optional(form) : std::nullopt;
}

bool barrier_arrive(Lowering &l, const Instruction &inst, const BarrierForm &form) {
  const std::vector<Operand> &operands = inst.operands;
  // Remote barriers of a cluster give no state: only the address stands first.
  size_t first = operands[0].kind == Operand::Kind::Address ? 0 : 1;
  if (operands.size() <= first || operands.size() > first + 2 || (form.expects && operands.size() != first + 2)) {
    return false;
  }
  bool has_number = operands.size() == first + 2;
  Value *number = has_number ? l.read(operands[first + 1], kU32) : l.b.getInt32(1);
  Value *count = form.expects ? l.b.getInt32(1) : number, *bytes = form.expects ? number : l.b.getInt32(0);
  Value *dropped = form.kind == "arrive_drop" ? count : l.b.getInt32(0);
  Value *state = l.library("__hl_mbarrier_arrive", l.b.getInt64Ty(), {generic(l, operands[first], form.space), count, bytes, dropped});
  if (first == 1) {
    l.write(operands[0], state, kB64);
  }
  return true;
}

/// Waits are loops of the program around these, which ask and do not wait themselves.
bool barrier_test(Lowering &l, const Instruction &inst, const BarrierForm &form) {
  size_t operands = inst.operands.size();
  if (operands < 3 || operands > (form.kind == "try_wait" ? 4u : 3u)) {
    return false;
  }
  Value *barrier = generic(l, inst.operands[1], form.space);
  Value *phase = form.parity ? l.b.CreateZExt(l.read(inst.operands[2], kU32), l.b.getInt64Ty()) : l.read(inst.operands[2], kB64);
  Value *done = l.library(form.parity ? "__hl_mbarrier_test_parity" : "__hl_mbarrier_test", l.b.getInt32Ty(), {barrier, phase});
  l.write(inst.operands[0], l.b.CreateIsNotNull(done), kPredicate);
  return true;
}

bool barrier(Lowering &l, const Instruction &inst) {
  std::optional<BarrierForm> form = parse_barrier(inst);
  const std::vector<Operand> &operands = inst.operands;
  if (!form || operands.empty()) {
    return false;
  }
  if (form->kind.starts_with("arrive")) {
    return barrier_arrive(l, inst, *form);
  }
  if (form->kind.ends_with("_wait")) {
    return barrier_test(l, inst, *form);
  }
  if (form->kind == "inval") {
    return operands.size() == 1;
  }
  if (operands.size() != 2) {
    return false;
  }
  if (form->kind == "pending_count") {
    l.write(operands[0], l.library("__hl_mbarrier_pending", l.b.getInt32Ty(), {l.read(operands[1], kB64)}), kU32);
    return true;
  }
  llvm::StringRef function = form->kind == "init"        ? "__hl_mbarrier_init"
                             : form->kind == "expect_tx" ? "__hl_mbarrier_expect"
                                                         : "__hl_mbarrier_complete";
  l.library(function, l.b.getVoidTy(), {generic(l, operands[0], form->space), l.read(operands[1], kU32)});
  return true;
}

/// Dependent grids start when the one before has ended; registers are not moved between warps.
bool hint(Lowering &, const Instruction &) { return true; }

constexpr Opcode kOpcodes[] = {{"cp", copy_arrive},      {"cp", copy_bulk},     {"cp", copy_async},
                               {"cp", reduce_bulk},      {"cp", prefetch_bulk}, {"mbarrier", barrier},
                               {"griddepcontrol", hint}, {"setmaxnreg", hint}};

}  // namespace

Opcodes async_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

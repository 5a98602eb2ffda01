// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, barriers of the block, and the end of a thread.
#include "compiler/ir/llvm_headers.h"
#include "compiler/ptx/families.h"

namespace hel::cc::ptx {
namespace {

using llvm::Value;

bool branch(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  suffixes.take("uni");
  if (!suffixes.empty() || inst.operands.size() != 1 || inst.operands[0].kind != Operand::Kind::Name) {
    return false;
  }
  l.jump(inst.operands[0]);
  return true;
}

bool warp_barrier(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("warp") || !suffixes.take("sync") || !suffixes.empty() || inst.operands.size() != 1) {
    return false;
  }
  l.nvvm("bar.warp.sync", {l.read(inst.operands[0], kB32)});
  return true;
}

/// Takes {.cta} and .aligned, which `bar` always means.
llvm::StringRef take_alignment(Suffixes &suffixes, const Instruction &inst) {
  suffixes.take("cta");
  return suffixes.take("aligned") || inst.opcode == "bar" ? ".aligned" : "";
}

/// bar.sync a{, b} and bar.arrive a, b: b is the number of threads, all of the block without it.
bool block_barrier(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef aligned = take_alignment(suffixes, inst);
  llvm::StringRef kind = suffixes.take_one_of({"sync", "arrive"});
  size_t operands = inst.operands.size();
  if (kind.empty() || !suffixes.empty() || operands > 2 || operands < (kind == "sync" ? 1u : 2u)) {
    return false;
  }
  llvm::SmallVector<Value *, 2> arguments;
  for (const Operand &operand : inst.operands) {
    arguments.push_back(l.read(operand, kU32));
  }
  l.nvvm("barrier.cta." + kind + aligned + (operands == 2 ? ".count" : ".all"), arguments);
  return true;
}

/// bar.red.popc.u32 d, a{, b}, {!}c and bar.red.and.pred, bar.red.or.pred
bool block_reduction(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  llvm::StringRef aligned = take_alignment(suffixes, inst);
  bool reduces = suffixes.take("red");
  llvm::StringRef op = suffixes.take_one_of({"popc", "and", "or"});
  Type type = op == "popc" ? kU32 : kPredicate;
  size_t operands = inst.operands.size();
  if (!reduces || op.empty() || suffixes.take_type() != type || !suffixes.empty() || operands < 3 || operands > 4) {
    return false;
  }
  llvm::SmallVector<Value *, 3> arguments = {l.read(inst.operands[1], kU32)};
  if (operands == 4) {
    arguments.push_back(l.read(inst.operands[2], kU32));
  }
  arguments.push_back(l.read(inst.operands[operands - 1], kPredicate));
  l.write(inst.operands[0], l.nvvm("barrier.cta.red." + op + aligned + (operands == 4 ? ".count" : ".all"), arguments), type);
  return true;
}

/// barrier.cluster.arrive and .wait
bool cluster_barrier(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (!suffixes.take("cluster") || !inst.operands.empty()) {
    return false;
  }
  llvm::StringRef kind = suffixes.take_one_of({"arrive", "wait"});
  suffixes.take_one_of({"release", "acquire"});
  bool relaxed = suffixes.take("relaxed"), aligned = suffixes.take("aligned");
  if (kind.empty() || (relaxed && kind == "wait") || !suffixes.empty()) {
    return false;
  }
  l.nvvm("barrier.cluster." + kind + (relaxed ? ".relaxed" : "") + (aligned ? ".aligned" : ""));
  return true;
}

bool end(Lowering &l, const Instruction &inst) {
  if (!inst.suffixes.empty() || !inst.operands.empty()) {
    return false;
  }
  if (inst.opcode == "exit") {
    l.nvvm("exit");
  } else {
    l.call(llvm::Intrinsic::trap, {});
  }
  return true;
}

bool sleep(Lowering &l, const Instruction &inst) {
  Suffixes suffixes(inst);
  if (suffixes.take_type() != kU32 || !suffixes.empty() || inst.operands.size() != 1) {
    return false;
  }
  l.nvvm("nanosleep", {l.read(inst.operands[0], kU32)});
  return true;
}

/// Marks for profilers.
bool note(Lowering &, const Instruction &inst) { return inst.operands.size() <= 1; }

constexpr Opcode kOpcodes[] = {
    {"bra", branch},           {"bar", warp_barrier},      {"bar", block_barrier},
    {"bar", block_reduction},  {"barrier", block_barrier}, {"barrier", block_reduction},
    {"barrier", cluster_barrier}, {"exit", end},           {"trap", end},
    {"brkpt", end},            {"nanosleep", sleep},       {"pmevent", note},
};

}  // namespace

Opcodes control_opcodes() { return kOpcodes; }

}  // namespace hel::cc::ptx

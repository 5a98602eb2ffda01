// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/analysis/mark_waiting_loops.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/simt_ops.h"
#include "compiler/ir/thread_state.h"

#include "llvm/ADT/GenericCycleInfo.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hel::cc {
namespace {

using FunctionSet = llvm::SmallPtrSet<const llvm::Function *, 16>;

/// A vote or a shuffle: whoever is named comes here as well, and what they tell is no memory that changes meanwhile.
bool meets_without_memory(const llvm::CallBase &call) {
  return named_lanes(call) != nullptr && call.onlyAccessesInaccessibleMemory();
}

/// True when the instruction can see what another thread did in memory. `observers`: the functions known to.
bool observes_others(const llvm::Instruction &inst, const FunctionSet &observers) {
  if (inst.isAtomic()) {
    return true;
  }
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst)) {
    return load->isVolatile();
  }
  auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
  if (!call || call->doesNotAccessMemory()) {
    return false;
  }
  const llvm::Function *callee = call->getCalledFunction();
  if (!callee) {
    return true;  // indirect, or assembly
  }
  if (!callee->isIntrinsic()) {
    return callee->isDeclaration() || observers.contains(callee);
  }
  const SimtOp *op = find_simt_op(*callee);
  bool nvvm = callee->getName().starts_with("llvm.nvvm.");
  return op ? (op->effect == Effect::Sync && !meets_without_memory(*call)) || op->effect == Effect::Fence
            : nvvm && !call->onlyReadsMemory();
}

/// The functions that observe others themselves, and then all their callers.
FunctionSet find_observers(const llvm::Module &module) {
  FunctionSet observers;
  llvm::SmallVector<const llvm::Function *, 16> work;
  for (const llvm::Function &function : module) {
    bool direct = !function.isDeclaration() &&
                  llvm::any_of(llvm::instructions(function),
                               [&](const llvm::Instruction &i) { return observes_others(i, observers); });
    if (direct && observers.insert(&function).second) {
      work.push_back(&function);
    }
  }
  while (!work.empty()) {
    for (const llvm::User *user : work.pop_back_val()->users()) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call && observers.insert(call->getFunction()).second) {
        work.push_back(call->getFunction());
      }
    }
  }
  return observers;
}

/// The analyses of one function.
struct Analyses {
  explicit Analyses(llvm::Function &function)
      : library_impl(function.getParent()->getTargetTriple()),
        library(library_impl),
        assumptions(function),
        dominators(function),
        loops(dominators),
        evolution(function, library, assumptions, dominators, loops) {
    cycles.compute(function);
  }
  llvm::TargetLibraryInfoImpl library_impl;
  llvm::TargetLibraryInfo library;
  llvm::AssumptionCache assumptions;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  llvm::ScalarEvolution evolution;
  llvm::CycleInfo cycles;
};

/// A call that always gives the same to a thread.
bool is_pure(const llvm::Instruction &inst) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&inst);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  const SimtOp *op = callee ? find_simt_op(*callee) : nullptr;
  return op ? op->effect == Effect::Pure : callee && callee->isIntrinsic() && call->doesNotAccessMemory();
}

/// The condition is worked out from what the loop itself counts: it comes out the same whatever other threads do.
bool counts_by_itself(const llvm::Loop &loop, const llvm::Value *condition) {
  llvm::SmallVector<const llvm::Value *, 8> work{condition};
  llvm::SmallPtrSet<const llvm::Value *, 8> seen;
  bool counts = false;
  while (!work.empty()) {
    const auto *inst = llvm::dyn_cast<llvm::Instruction>(work.pop_back_val());
    if (!inst || !loop.contains(inst) || !seen.insert(inst).second) {
      continue;
    }
    auto *phi = llvm::dyn_cast<llvm::PHINode>(inst);
    if (phi ? phi->getParent() != loop.getHeader()
            : !llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CastInst, llvm::SelectInst>(inst) &&
                  !is_pure(*inst)) {
      return false;
    }
    counts |= phi && phi->getIncomingValueForBlock(loop.getLoopLatch()) != phi;
    work.append(inst->value_op_begin(), inst->value_op_end());
  }
  return counts;
}

bool is_bounded_by(const llvm::Loop &loop, const llvm::BasicBlock *exiting, Analyses &analyses) {
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !analyses.dominators.dominates(exiting, latch)) {
    return false;
  }
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
  return (branch && counts_by_itself(loop, branch->getCondition())) ||
         !llvm::isa<llvm::SCEVCouldNotCompute>(
             analyses.evolution.getExitCount(&loop, exiting, llvm::ScalarEvolution::ConstantMaximum));
}

const llvm::Value *without_casts(const llvm::Value *value) {
  while (llvm::isa<llvm::CastInst, llvm::FreezeInst>(value)) {
    value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
  }
  return value;
}

/// Part 0 of what an exchange gives is what it saw, also as atomicCAS returns it (what was expected, where it took
/// place); part 1, whether it took place.
bool is_part_of(const llvm::Value *value, const llvm::AtomicCmpXchgInst &exchange, unsigned index) {
  value = without_casts(value);
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(value);
      select && index == 0 && is_part_of(select->getCondition(), exchange, 1) &&
      without_casts(select->getTrueValue()) == without_casts(exchange.getCompareOperand())) {
    value = without_casts(select->getFalseValue());
  }
  auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(value);
  return part && part->getAggregateOperand() == &exchange && part->getIndices()[0] == index;
}

/// The exchange compares with what the thread has just seen in the same place: it fails only when another thread has
/// got on in between.
bool compares_with_last_seen(const llvm::AtomicCmpXchgInst &exchange, const llvm::Loop &loop) {
  const llvm::Value *expected = without_casts(exchange.getCompareOperand());
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(expected)) {
    return loop.contains(load) && load->getPointerOperand() == exchange.getPointerOperand();
  }
  auto *phi = llvm::dyn_cast<llvm::PHINode>(expected);
  return phi && phi->getParent() == loop.getHeader() &&
         is_part_of(phi->getIncomingValueForBlock(loop.getLoopLatch()), exchange, 0);
}

bool is_success(const llvm::Value *condition, const llvm::AtomicCmpXchgInst &exchange, bool &when_true) {
  when_true = true;
  if (is_part_of(condition, exchange, 1)) {
    return condition->getType()->isIntegerTy(1);
  }
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!compare || !compare->isEquality()) {
    return false;
  }
  when_true = compare->getPredicate() == llvm::CmpInst::ICMP_EQ;
  const llvm::Value *expected = without_casts(exchange.getCompareOperand());
  const llvm::Value *a = compare->getOperand(0), *b = compare->getOperand(1);
  return (is_part_of(a, exchange, 0) && without_casts(b) == expected) ||
         (is_part_of(b, exchange, 0) && without_casts(a) == expected);
}

/// `do { seen = now; now = atomicCAS(p, seen, f(seen)); } while (now != seen)`: every failure is another thread's
/// success, so that nobody is waited for.
bool only_retries(const llvm::Loop &loop, Analyses &analyses, const FunctionSet &observers) {
  const llvm::AtomicCmpXchgInst *exchange = nullptr;
  for (const llvm::BasicBlock *block : loop.blocks()) {
    for (const llvm::Instruction &inst : *block) {
      auto *found = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&inst);
      if (found && !exchange) {
        exchange = found;
      } else if (!llvm::isa<llvm::LoadInst>(inst) && observes_others(inst, observers)) {
        return false;
      }
    }
  }
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!exchange || !latch || !compares_with_last_seen(*exchange, loop)) {
    return false;
  }
  llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](const llvm::BasicBlock *block) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    bool when_true = true;
    return branch && branch->isConditional() && analyses.dominators.dominates(block, latch) &&
           is_success(branch->getCondition(), *exchange, when_true) &&
           !loop.contains(branch->getSuccessor(when_true ? 0 : 1));
  });
}

bool observes_others(llvm::ArrayRef<llvm::BasicBlock *> blocks, const FunctionSet &observers) {
  return llvm::any_of(blocks, [&](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [&](const llvm::Instruction &inst) { return observes_others(inst, observers); });
  });
}

/// True when something bounds the number of rounds; then only an early exit that watches memory is worth a yield.
bool may_wait(const llvm::Loop &loop, Analyses &analyses, const FunctionSet &observers) {
  if (!observes_others(loop.getBlocks(), observers) || only_retries(loop, analyses, observers)) {
    return false;
  }
  llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  bool all_bounded = true, one_bounded = false;
  for (const llvm::BasicBlock *block : exiting) {
    bool bounded = is_bounded_by(loop, block, analyses);
    all_bounded &= bounded;
    one_bounded |= bounded;
  }
  if (exiting.empty() || !one_bounded) {
    return true;
  }
  return !all_bounded && llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &inst) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&inst);
      return load && (load->isVolatile() || load->isAtomic());
    });
  });
}

void yield_before(llvm::Instruction *place) {
  llvm::IRBuilder<> builder(place);
  emit_engine_call(builder, "__hl_yield", builder.getVoidTy(), {});
}

/// The back edges of loops that may wait, and the entries of irreducible cycles that may.
void mark(llvm::Function &function, const FunctionSet &observers) {
  Analyses analyses(function);
  llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::BasicBlock *>, 4> edges;
  for (llvm::Loop *loop : analyses.loops.getLoopsInPreorder()) {
    if (!may_wait(*loop, analyses, observers)) {
      continue;
    }
    for (llvm::BasicBlock *block : llvm::predecessors(loop->getHeader())) {
      if (loop->contains(block)) {
        edges.push_back({block, loop->getHeader()});
      }
    }
  }
  llvm::SmallVector<llvm::BasicBlock *, 4> entries;
  llvm::SmallVector<const llvm::Cycle *, 8> work(analyses.cycles.toplevel_cycles());
  while (!work.empty()) {
    const llvm::Cycle *cycle = work.pop_back_val();
    work.append(cycle->child_begin(), cycle->child_end());
    llvm::SmallVector<llvm::BasicBlock *, 8> blocks(cycle->blocks());
    if (!cycle->isReducible() && observes_others(blocks, observers)) {
      entries.append(cycle->getEntries().begin(), cycle->getEntries().end());
    }
  }
  for (auto [from, to] : edges) {
    llvm::BasicBlock *place = from->getSingleSuccessor() ? from : llvm::SplitEdge(from, to);
    yield_before(place->getTerminator());
  }
  for (llvm::BasicBlock *entry : entries) {
    yield_before(&*entry->getFirstInsertionPt());
  }
}

}  // namespace

Result<void> mark_waiting_loops(llvm::Module &module, Compilation &) {
  FunctionSet observers = find_observers(module);
  for (llvm::Function &function : module) {
    if (observers.contains(&function)) {
      mark(function, observers);
    }
  }
  return {};
}

}  // namespace hel::cc

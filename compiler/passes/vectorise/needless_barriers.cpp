// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/needless_barriers.h"

#include "compiler/ir/named_calls.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/phase_writer.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/CFG.h"

namespace hel::cc {
namespace {

using namespace llvm;

constexpr unsigned kDeepest = 24;  ///< operations between a warp's number and a condition

/// What values are for the warp with this number; null if that takes more than the number to tell.
class ValuesFor {
public:
  ValuesFor(const Function &body, uint32_t warp) : body_(body), warp_(warp) {}

  Constant *of(Value *value, unsigned depth = 0) {
    if (auto *constant = dyn_cast<Constant>(value)) {
      return constant;
    }
    if (value == body_.getArg(kWarp)) {
      return ConstantInt::get(value->getType(), warp_);
    }
    auto *inst = dyn_cast<Instruction>(value);
    if (inst == nullptr || depth == kDeepest || isa<PHINode>(inst) || inst->mayReadOrWriteMemory() ||
        inst->getNumOperands() == 0) {
      return nullptr;
    }
    auto [known, fresh] = known_.try_emplace(inst, nullptr);
    if (!fresh) {
      return known->second;
    }
    SmallVector<Constant *, 3> operands;
    for (Value *operand : inst->operands()) {
      operands.push_back(of(operand, depth + 1));
      if (operands.back() == nullptr) {
        return nullptr;
      }
    }
    return known_[inst] = ConstantFoldInstOperands(inst, operands, body_.getDataLayout());
  }

private:
  const Function &body_;
  const uint32_t warp_;
  DenseMap<const Instruction *, Constant *> known_;
};

/// The blocks that only the first warp runs.
SmallPtrSet<const BasicBlock *, 16> blocks_of_first_warp(Function &body) {
  const DominatorTree dominators(body);
  SmallPtrSet<const BasicBlock *, 16> blocks;
  for (BasicBlock &block : body) {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    for (unsigned way = 0; branch != nullptr && branch->isConditional() && way < 2; way++) {
      const BasicBlockEdge edge(&block, branch->getSuccessor(way));
      if (branch->getSuccessor(0) == branch->getSuccessor(1) || blocks.contains(edge.getEnd()) ||
          !is_way_of_first_warp(*branch, way, body)) {
        continue;
      }
      for (BasicBlock &other : body) {
        if (dominators.dominates(edge, &other)) {
          blocks.insert(&other);
        }
      }
    }
  }
  return blocks;
}

constexpr char kBarrier[] = "__hl_barrier";

/// Others can see that it ran, or it can see what others did.
bool touches_memory(const Instruction &inst) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  if (intrinsic != nullptr &&
      (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == Intrinsic::prefetch)) {
    return false;
  }
  return !is_needless_barrier(inst) && inst.mayReadOrWriteMemory() && !inst.hasMetadata(LLVMContext::MD_invariant_load);
}

/// All warps read shared memory between `barrier` and the next ones, where some write it, too. In a program without
/// races that is other memory. But many return a sum from it (`return s[0];`) and are called again with no barrier in
/// between, since a GPU's warps have read it before one of them writes: this barrier has them read it at once
/// (loads_at_barrier.h).
bool lets_all_read_at_once(const CallInst &barrier, const SmallPtrSetImpl<const BasicBlock *> &first_warp) {
  bool all_read = false, some_write = false;
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const Instruction *, 8> work = {barrier.getNextNode()};
  const DataLayout &dl = barrier.getDataLayout();
  while (!work.empty()) {
    const Instruction *at = work.pop_back_val();
    const BasicBlock *block = at->getParent();
    for (; at != nullptr && !is_call_of(at, kBarrier); at = at->getNextNode()) {
      const auto *load = dyn_cast<LoadInst>(at);
      all_read |= load != nullptr && !first_warp.contains(block) && is_in_shared_memory(load->getPointerOperand(), dl);
      const auto *masked = dyn_cast<IntrinsicInst>(at);
      if (isa<StoreInst>(at) || (masked != nullptr && (masked->getIntrinsicID() == Intrinsic::masked_store ||
                                                       masked->getIntrinsicID() == Intrinsic::masked_scatter))) {
        some_write |= is_in_shared_memory(at->getOperand(1), dl);
      }
      if (at->isTerminator()) {
        for (const BasicBlock *next : successors(block)) {
          if (seen.insert(next).second) {
            work.push_back(&next->front());
          }
        }
      }
    }
  }
  return all_read && some_write;
}

/// Since the barriers before it, only the first warp has touched memory.
bool is_needless(CallInst &barrier, const SmallPtrSetImpl<const BasicBlock *> &first_warp) {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const Instruction *, 8> work = {&barrier};  // what comes before each of them in its block counts
  while (!work.empty()) {
    const Instruction *at = work.pop_back_val();
    const BasicBlock *block = at->getParent();
    bool stopped = false;
    while (!stopped && (at = at->getPrevNode()) != nullptr) {
      stopped = is_call_of(at, kBarrier);
      if (!stopped && touches_memory(*at) && !first_warp.contains(block)) {
        return false;
      }
    }
    for (const BasicBlock *before : predecessors(block)) {
      if (!stopped && seen.insert(before).second) {
        work.push_back(before->getTerminator());
      }
    }
  }
  return true;
}

}  // namespace

bool is_way_of_first_warp(const BranchInst &branch, unsigned way, const Function &body) {
  for (uint32_t warp = 1; warp < PhaseState::kMostWarps; warp++) {
    const auto *condition = dyn_cast_or_null<ConstantInt>(ValuesFor(body, warp).of(branch.getCondition()));
    if (condition == nullptr || condition->isOne() == (way == 0)) {
      return false;
    }
  }
  return true;
}

bool is_needless_barrier(const Instruction &inst) { return is_call_of(&inst, kNeedless); }

void mark_needless_barriers(Function &body) {
  const SmallPtrSet<const BasicBlock *, 16> first_warp = blocks_of_first_warp(body);
  if (first_warp.empty()) {
    return;
  }
  SmallVector<CallInst *, 16> barriers;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&body)) {
    for (Instruction &inst : *block) {
      if (is_call_of(&inst, kBarrier) && !first_warp.contains(block)) {
        barriers.push_back(cast<CallInst>(&inst));
      }
    }
  }
  for (CallInst *barrier : barriers) {
    if (is_needless(*barrier, first_warp) && !lets_all_read_at_once(*barrier, first_warp)) {
      barrier->setCalledFunction(body.getParent()->getOrInsertFunction(kNeedless, barrier->getFunctionType()));
    }
  }
}

void restore_needless_barriers(Module &module) {
  Function *mark = module.getFunction(kNeedless);
  if (mark == nullptr) {
    return;
  }
  for (User *user : make_early_inc_range(mark->users())) {
    auto *call = cast<CallInst>(user);
    call->setCalledFunction(module.getOrInsertFunction(kBarrier, call->getFunctionType()));
  }
  mark->eraseFromParent();
}

}  // namespace hel::cc

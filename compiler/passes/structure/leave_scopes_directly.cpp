// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/leave_scopes_directly.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace hel::cc {
namespace {

using namespace llvm;

/// The switch of a block that does nothing else, by a constant for each block before it; else null. A loop is entered
/// by its header.
SwitchInst *choice_by_origin(BasicBlock &block, const LoopInfo &loops) {
  auto *choice = dyn_cast<SwitchInst>(&*block.getFirstNonPHIIt());
  auto *way = choice != nullptr ? dyn_cast<PHINode>(choice->getCondition()) : nullptr;
  const bool by_origin = way != nullptr && way->getParent() == &block && !loops.isLoopHeader(&block) &&
                         all_of(way->incoming_values(), [](const Value *v) { return isa<ConstantInt>(v); }) &&
                         all_of(predecessors(&block), [&](BasicBlock *from) {
                           return isa<BranchInst, SwitchInst>(from->getTerminator()) && from != &block;
                         });
  return by_origin ? choice : nullptr;
}

/// What comes by way of `from`, where it goes on, in a block of its own: several ways may lead from `from` to there.
BasicBlock *way_past(BasicBlock &block, BasicBlock *from, SwitchInst &choice) {
  auto here = [&](Value *value) {
    auto *phi = dyn_cast<PHINode>(value);
    return phi != nullptr && phi->getParent() == &block ? phi->getIncomingValueForBlock(from) : value;
  };
  BasicBlock *next = choice.findCaseValue(cast<ConstantInt>(here(choice.getCondition())))->getCaseSuccessor();
  BasicBlock *way = BasicBlock::Create(block.getContext(), block.getName(), block.getParent(), &block);
  BranchInst::Create(next, way)->copyMetadata(choice, {LLVMContext::MD_dbg, LLVMContext::MD_loop});
  for (PHINode &phi : next->phis()) {
    phi.addIncoming(here(phi.getIncomingValueForBlock(&block)), way);
  }
  return way;
}

void leave_out(BasicBlock &block, SwitchInst &choice) {
  const SmallSetVector<BasicBlock *, 4> origins(pred_begin(&block), pred_end(&block));
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> ways;
  for (BasicBlock *from : origins) {
    ways.push_back({from, way_past(block, from, choice)});
  }
  const SmallSetVector<BasicBlock *, 4> nexts(succ_begin(&block), succ_end(&block));
  for (BasicBlock *next : nexts) {
    for (PHINode &phi : next->phis()) {
      phi.removeIncomingValueIf([&](unsigned i) { return phi.getIncomingBlock(i) == &block; },
                                /*DeletePHIIfEmpty=*/false);
    }
  }
  for (auto [from, way] : ways) {
    from->getTerminator()->replaceSuccessorWith(&block, way);
  }
  choice.eraseFromParent();
  for (PHINode &phi : block.phis()) {
    SSAUpdater updater;
    updater.Initialize(phi.getType(), phi.getName());
    for (auto [from, way] : ways) {
      updater.AddAvailableValue(way, phi.getIncomingValueForBlock(from));
    }
    for (Use &use : make_early_inc_range(phi.uses())) {
      updater.RewriteUse(use);
    }
  }
  block.eraseFromParent();
}

}  // namespace

PreservedAnalyses LeaveScopesDirectly::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  for (BasicBlock &block : make_early_inc_range(function)) {
    if (SwitchInst *choice = choice_by_origin(block, loops)) {
      leave_out(block, *choice);
      changed = true;
    }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

}  // namespace hel::cc

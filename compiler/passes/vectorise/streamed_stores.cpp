// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/streamed_stores.h"

#include "compiler/ir/named_calls.h"
#include "compiler/ir/thread_state.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace hel::cc {
namespace {

using namespace llvm;

/// Threads outside the block may come to know something by it, or nobody knows what it does.
bool may_tell_others(const Instruction &inst) {
  if (const auto *call = dyn_cast<CallBase>(&inst)) {
    switch (call->getIntrinsicID()) {
      case Intrinsic::nvvm_barrier_cta_sync_all:
      case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
        return false;
      case Intrinsic::not_intrinsic:
        return !call->doesNotAccessMemory();
      default:
        return call->mayHaveSideEffects() && !call->onlyAccessesInaccessibleMemory() &&
               !cast<IntrinsicInst>(call)->isAssumeLikeIntrinsic();
    }
  }
  return inst.isAtomic() || inst.isVolatile() || isa<FenceInst>(inst);
}

/// The parameter that `pointer` is a place behind; null if it is of another origin.
const Argument *parameter_of(const Value *pointer) { return dyn_cast<Argument>(getUnderlyingObject(pointer, 0)); }

/// A variable of the program, or memory of the block or of a thread.
bool is_known_place(const Value *pointer, const DataLayout &dl) {
  const Value *object = getUnderlyingObject(pointer, 0);
  return is_call_of(object, kSelfName) || isa<AllocaInst, GlobalVariable>(object) || is_in_shared_memory(pointer, dl);
}

}  // namespace

StreamedStores::StreamedStores(Function &kernel, const LoopInfo &loops) {
  const DataLayout &dl = kernel.getDataLayout();
  SmallPtrSet<const Argument *, 8> read;
  SmallVector<const StoreInst *, 8> written;
  for (const Instruction &inst : instructions(kernel)) {
    if (may_tell_others(inst)) {
      return;
    }
    if (const auto *load = dyn_cast<LoadInst>(&inst)) {
      const Argument *parameter = parameter_of(load->getPointerOperand());
      if (parameter != nullptr) {
        read.insert(parameter);
      } else if (!is_known_place(load->getPointerOperand(), dl)) {
        return;  // it could read anything
      }
    } else if (const auto *store = dyn_cast<StoreInst>(&inst)) {
      written.push_back(store);
    }
  }
  // What is done once beside a loop is not what takes time.
  size_t depth = 0;
  for (const BasicBlock &block : kernel) {
    depth = std::max<size_t>(depth, loops.getLoopDepth(&block));
  }
  for (const StoreInst *store : written) {
    const Argument *parameter = parameter_of(store->getPointerOperand());
    if (parameter != nullptr && !parameter->hasByValAttr() && !read.contains(parameter) &&
        loops.getLoopDepth(store->getParent()) == depth) {
      const Loop *loop = loops.getLoopFor(store->getParent());
      if (!stores_.empty() && loop != loop_) {
        continue;  // the loop that comes first counts
      }
      loop_ = loop;
      stores_.insert(store);
      bytes_ += dl.getTypeStoreSize(store->getValueOperand()->getType());
    }
  }
}

LoopCounter counter_of(const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPredecessor();
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (latch == nullptr || before == nullptr) {
    return {};
  }
  for (const BasicBlock *block : exiting) {
    const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    const auto *compare =
        branch != nullptr && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    for (unsigned i = 0; i < 2 && compare != nullptr && compare->isRelational(); i++) {
      Value *counter = compare->getOperand(i), *bound = compare->getOperand(1 - i);
      for (const PHINode &phi : loop.getHeader()->phis()) {
        auto *next = dyn_cast<BinaryOperator>(phi.getIncomingValueForBlock(latch));
        if (next == nullptr || next->getOpcode() != Instruction::Add || (counter != &phi && counter != next) ||
            !loop.isLoopInvariant(bound)) {
          continue;
        }
        Value *step = next->getOperand(next->getOperand(0) == &phi ? 1 : 0);
        if (is_contained(next->operands(), &phi) && loop.isLoopInvariant(step)) {
          return {&phi, phi.getIncomingValueForBlock(before), step, bound};
        }
      }
    }
  }
  return {};
}

}  // namespace hel::cc

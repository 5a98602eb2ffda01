// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/block_uniformity.h"

#include "compiler/ir/dominators.h"
#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"
#include "compiler/ir/thread_state.h"
#include "compiler/passes/vectorise/block_function.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"

namespace hel::cc {

using namespace llvm;

namespace {

bool is_self(const Value *value) { return is_call_of(value, kSelfName); }

/// Computes with its operands alone, or reads where they say.
bool is_plain(const Instruction &inst) {
  if (const auto *load = dyn_cast<LoadInst>(&inst)) {
    const Value *object = getUnderlyingObject(load->getPointerOperand(), 0);
    // The state of the running thread is that of one lane after the other.
    return load->isSimple() && (!is_self(object) || is_shared_window(*load));
  }
  if (const auto *call = dyn_cast<CallBase>(&inst)) {
    const auto *intrinsic = dyn_cast<IntrinsicInst>(call);
    return is_self(call) || (intrinsic != nullptr && !intrinsic->mayHaveSideEffects() &&
                             !Intrinsic::isTargetIntrinsic(intrinsic->getIntrinsicID()));
  }
  return !inst.mayReadOrWriteMemory() && !isa<AllocaInst>(inst);
}

}  // namespace

BlockUniformity::BlockUniformity(Function &body, ArrayRef<const CallInst *> barriers) : body_(body) {
  for (const CallInst *barrier : barriers) {
    has_barrier_.insert(barrier->getParent());
  }
  const PostDominatorTree meetings(body);
  DenseSet<const BasicBlock *> followed;
  for (bool changed = true; changed && !nothing_;) {
    size_t before = differs_.size();
    for (const BasicBlock &block : body) {
      for (const Instruction &inst : block) {
        if (may_differ(inst)) {
          differs_.insert(&inst);
        }
      }
      const Instruction *end = block.getTerminator();
      if (end->getNumSuccessors() > 1 && differs_.contains(end) && followed.insert(&block).second) {
        follow(block, immediate_dominator(meetings, &block));
      }
    }
    changed = differs_.size() != before;
  }
}

bool BlockUniformity::may_differ(const Instruction &inst) const {
  return !is_plain(inst) || any_of(inst.operands(), [&](const Use &operand) {
    return operand.get() == body_.getArg(kWarp) || operand.get() == body_.getArg(kLanes) ||
           differs_.contains(operand.get());
  });
}

/// Warps part behind `parting`, and are together again at `meeting` (null: at their end). What is chosen by the way
/// there differs; so does what a loop holds that they leave in different rounds.
void BlockUniformity::follow(const BasicBlock &parting, const BasicBlock *meeting) {
  SetVector<const BasicBlock *> between;
  between.insert(succ_begin(&parting), succ_end(&parting));
  between.remove(meeting);
  for (size_t i = 0; i < between.size(); i++) {
    for (const BasicBlock *next : successors(between[i])) {
      if (next != meeting) {
        between.insert(next);
      }
    }
  }
  auto choose = [&](const BasicBlock &block) {
    for (const PHINode &phi : block.phis()) {
      differs_.insert(&phi);
    }
  };
  for (const BasicBlock *block : between) {
    nothing_ |= has_barrier_.contains(block);
    choose(*block);
    for (const Instruction &inst : *block) {
      if (between.contains(&parting) && inst.isUsedOutsideOfBlock(block)) {
        differs_.insert(&inst);
      }
    }
  }
  if (meeting != nullptr) {
    choose(*meeting);
  }
}

}  // namespace hel::cc

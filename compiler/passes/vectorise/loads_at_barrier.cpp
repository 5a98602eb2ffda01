// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/loads_at_barrier.h"

#include "abi/block.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"
#include "compiler/ir/thread_state.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"

namespace hel::cc {

using namespace llvm;

namespace {

/// What a turn does before it writes anything that other threads can read.
class Front {
public:
  Front(const BasicBlock &entry, const Function &phase)
      : entry_(entry), block_(phase.getArg(1)), state_(phase.getArg(4)) {}

  /// Takes notice of `inst`. False if nothing behind it may be moved.
  bool pass(Instruction &inst) {
    if (is_alike(inst)) {
      alike_.insert(&inst);
      return true;
    }
    auto *store = dyn_cast<StoreInst>(&inst);
    return store != nullptr ? store->isSimple() && is_unseen(store->getPointerOperand()) : !inst.mayHaveSideEffects();
  }

  ArrayRef<Instruction *> alike() const { return alike_.getArrayRef(); }

private:
  /// The block's state and its warps': no thread has their addresses.
  bool is_unseen(const Value *address) const {
    const Value *base = getUnderlyingObject(address);
    return base == block_ || base == state_;
  }

  bool is_known_before(const Value *value) const {
    const auto *inst = dyn_cast<Instruction>(value);
    return inst == nullptr || inst->getParent() == &entry_ || alike_.contains(inst);
  }

  /// Of the states, what a phase does not change is where shared memory lies.
  bool is_read_before_writes(const LoadInst &load) const {
    const Value *address = load.getPointerOperand();
    if (!load.isSimple() || !is_unseen(address)) {
      return load.isSimple();
    }
    int64_t offset = 0;
    const Value *base = GetPointerBaseWithConstantOffset(address, offset, load.getDataLayout());
    return base == block_ &&
           (offset == offsetof(abi::BlockState, shared) || offset == offsetof(abi::BlockState, dynamic_shared));
  }

  bool is_alike(const Instruction &inst) const {
    if (isa<PHINode>(inst) || inst.isTerminator() ||
        !all_of(inst.operands(), [this](const Use &operand) { return is_known_before(operand.get()); })) {
      return false;
    }
    const auto *load = dyn_cast<LoadInst>(&inst);
    return load != nullptr
               ? is_read_before_writes(*load)
               : is_call_of(&inst, kSelfName) || (isSafeToSpeculativelyExecute(&inst) && !inst.mayReadFromMemory());
  }

  const BasicBlock &entry_;
  const Value *block_, *state_;
  SmallSetVector<Instruction *, 8> alike_;
};

}  // namespace

void load_once_for_all_warps(BasicBlock &each_warp, BasicBlock &entry) {
  Front front(entry, *entry.getParent());
  for (BasicBlock *block = &each_warp; block != nullptr;) {
    if (!all_of(*block, [&](Instruction &inst) { return front.pass(inst); })) {
      break;
    }
    BasicBlock *next = block->getSingleSuccessor();
    block = next != nullptr && next->getSinglePredecessor() != nullptr ? next : nullptr;
  }
  for (Instruction *inst : front.alike()) {
    inst->moveBefore(entry.getTerminator()->getIterator());
  }
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/joint_warps.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/needless_barriers.h"
#include "compiler/passes/vectorise/partings.h"
#include "compiler/passes/vectorise/split_phases.h"
#include "compiler/passes/vectorise/widen_seldom.h"

#include "llvm/IR/CFG.h"

namespace hel::cc {

using namespace llvm;

namespace {

constexpr unsigned kShortLived = 4;      ///< vector registers that are left for what is short-lived
constexpr size_t kLargestPhase = 3000;   ///< instructions

bool is_constant_load(const Instruction &inst) {
  return isa<LoadInst>(inst) && inst.hasMetadata(LLVMContext::MD_invariant_load);
}

/// A call that does nothing but compute, or reads and writes memory under a mask.
bool is_plain_call(const CallBase &call) {
  switch (call.getIntrinsicID()) {
    case Intrinsic::masked_load:
    case Intrinsic::masked_store:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_scatter:
    case Intrinsic::assume:
    case Intrinsic::prefetch:
      return true;
    default:
      return call.doesNotAccessMemory() || is_access_of_lanes(call);
  }
}

bool is_vector_arithmetic(const Instruction &inst) {
  if (!inst.getType()->isVectorTy() || inst.getType()->isIntOrIntVectorTy(1)) {
    return false;
  }
  switch (isa<CallBase>(inst) ? cast<CallBase>(inst).getIntrinsicID() : Intrinsic::not_intrinsic) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
    case Intrinsic::maxnum:
    case Intrinsic::minnum:
    case Intrinsic::maximumnum:
    case Intrinsic::minimumnum:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return true;
    default:
      return isa<BinaryOperator>(inst);
  }
}

/// Arithmetic reads it from memory.
bool is_operand_in_memory(const Instruction &inst) {
  const auto *load = dyn_cast<LoadInst>(&inst);
  const auto *user = load != nullptr && load->hasOneUse() ? cast<Instruction>(*load->user_begin()) : nullptr;
  if (user == nullptr || !load->isSimple() || user->getParent() != load->getParent() || !is_vector_arithmetic(*user)) {
    return false;
  }
  return none_of(make_range(load->getIterator(), user->getIterator()),
                 [](const Instruction &between) { return between.mayWriteToMemory(); });
}

bool is_block_barrier(const Instruction &inst) { return is_call_of(&inst, "__hl_barrier"); }

}  // namespace

JointWarps::JointWarps(Function &body, const PhaseValues &values, int end, ArrayRef<BasicBlock *> blocks,
                       VectorRegisters machine)
    : body_(body), values_(values), blocks_(blocks), machine_(machine) {
  if (end >= 0) {
    loaded_ = &values.live_across(end);
  }
  // A warp that may lack lanes says which it has.
  bool alone = end >= 0 && values.ends()[end].kind != PhaseEnd::Barrier;
  if (alone || !body.getArg(kLanes)->use_empty() || body.hasFnAttribute(kSharedAtomics)) {
    return;
  }
  find_what_differs();
  if (!join() || !pays()) {
    return;
  }
  for (unsigned warps : {8, 4, 2}) {
    if (registers(warps) <= machine_.count - kShortLived) {
      count_ = warps;
      return;
    }
  }
}

bool JointWarps::operand_differs(const Instruction &inst) const {
  return any_of(inst.operands(), [&](const Use &use) {
    const auto *operand = dyn_cast<Instruction>(use.get());
    return use.get() == body_.getArg(kWarp) || (operand != nullptr && (differs(operand) || isa<AllocaInst>(operand)));
  });
}

void JointWarps::find_what_differs() {
  if (loaded_ != nullptr) {
    differs_.insert_range(make_filter_range(*loaded_, [&](Instruction *value) { return !values_.is_uniform(value); }));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : blocks_) {
      for (Instruction &inst : *block) {
        if (!differs(&inst) && (operand_differs(inst) || (inst.mayWriteToMemory() && !isa<StoreInst>(inst)))) {
          differs_.insert(&inst);
          changed = true;
        }
      }
    }
  }
}

/// The warps can run this block jointly, if they can run what follows it.
bool JointWarps::can_join(const BasicBlock &block) const {
  for (const Instruction &inst : block) {
    const auto *load = dyn_cast<LoadInst>(&inst);
    const auto *store = dyn_cast<StoreInst>(&inst);
    const auto *call = dyn_cast<CallInst>(&inst);
    bool stops = (is_block_barrier(inst) && &inst == block.getTerminator()->getPrevNode()) || is_parting(inst) ||
                 is_round(inst) || is_needless_barrier(inst);
    if ((load != nullptr && !load->isSimple()) || (store != nullptr && !store->isSimple()) || inst.isAtomic() ||
        (call != nullptr && !stops && !is_plain_call(*call))) {
      return false;
    }
  }
  return true;
}

/// Finds the blocks that the warps run jointly; false if the first one is none of them.
bool JointWarps::join() {
  SmallPtrSet<const BasicBlock *, 32> possible;
  size_t size = 0;
  for (BasicBlock *block : blocks_) {
    size += block->size();
    if (can_join(*block)) {
      possible.insert(block);
    }
  }
  if (size > kLargestPhase) {
    return false;
  }
  // Warps that part come after those that do not. Where a barrier went because the first warp is through before any
  // other begins, they have to keep their order.
  bool ordered = any_of(blocks_, [](const BasicBlock *block) { return any_of(*block, is_needless_barrier); });
  SmallPtrSet<const BasicBlock *, 4> partings;
  for (const PhaseEnd &end : values_.ends()) {
    if (end.kind == PhaseEnd::Parting) {
      partings.insert(end.after);
    }
  }
  auto next = [&](BasicBlock *block) {
    SmallVector<BasicBlock *, 2> ways;
    const Instruction *last = block->getTerminator()->getPrevNode();
    if (last == nullptr || !is_block_barrier(*last)) {
      ways.append(succ_begin(block), succ_end(block));
    }
    return ways;
  };
  auto is_possible = [&](const BasicBlock *block) { return possible.contains(block); };
  auto goes_on = [&](BasicBlock *block) {
    const SmallVector<BasicBlock *, 2> ways = next(block);
    if (ways.size() < 2 || !differs(block->getTerminator()) || any_of(ways, ends_round)) {
      return all_of(ways, is_possible);
    }
    return partings.contains(block) && !ordered && any_of(ways, is_possible);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : blocks_) {
      changed |= possible.contains(block) && !goes_on(block) && possible.erase(block);
    }
  }
  if (possible.contains(blocks_.front())) {
    joined_.insert(blocks_.front());
  }
  for (size_t i = 0; i < joined_.size(); i++) {
    for (BasicBlock *way : next(joined_[i])) {
      if (possible.contains(way)) {
        joined_.insert(way);
      }
    }
  }
  return !joined_.empty();
}

bool JointWarps::may_part() const {
  return any_of(joined_, [&](const BasicBlock *block) {
    return block->getTerminator()->getNumSuccessors() > 1 && differs(block->getTerminator());
  });
}

/// Enough is loaded for all warps at once, or sums are carried from one turn of a loop to the next. Warps that may part
/// have to win more than it takes to part.
bool JointWarps::pays() const {
  unsigned arithmetic = 0, shared_loads = 0, carried = 0;
  SmallPtrSet<const BasicBlock *, 32> seen;
  for (BasicBlock *block : joined_) {
    bool header =
        any_of(predecessors(block), [&](BasicBlock *from) { return joined_.contains(from) && !seen.contains(from); });
    seen.insert(block);
    for (Instruction &inst : *block) {
      bool different = differs(&inst);
      arithmetic += different && is_vector_arithmetic(inst);
      shared_loads += !different && inst.mayReadFromMemory() && !is_constant_load(inst) && !inst.getType()->isVoidTy();
      carried += different && header && is_carried(inst);
    }
  }
  return arithmetic > 0 && (carried > 0 || (!may_part() && shared_loads >= 4 && arithmetic >= 4));
}

/// Vector registers that values which live beyond their block or are used more than once fill, where they are most.
unsigned JointWarps::registers(unsigned warps) const {
  DenseMap<const BasicBlock *, SetVector<const Instruction *>> live_in;
  auto counts = [&](const Value *value) {
    const auto *inst = dyn_cast<Instruction>(value);
    return inst != nullptr && inst->getType()->isVectorTy() && !isa<ShuffleVectorInst, InsertElementInst>(inst) &&
           !is_operand_in_memory(*inst) && (joined_.contains(inst->getParent()) || is_loaded(inst));
  };
  auto size = [&](const Instruction *inst) {
    unsigned bits = inst->getType()->getPrimitiveSizeInBits().getFixedValue();
    if (inst->getType()->getScalarType()->isPointerTy()) {
      bits = 64 * cast<FixedVectorType>(inst->getType())->getNumElements();
    }
    return divideCeil(bits, machine_.bits) * (differs(inst) ? warps : 1);
  };
  unsigned most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock *block : reverse(joined_)) {
      SetVector<const Instruction *> live;
      for (BasicBlock *next : successors(block)) {
        live.insert(live_in[next].begin(), live_in[next].end());
        for (PHINode &phi : next->phis()) {
          Value *incoming = phi.getBasicBlockIndex(block) >= 0 ? phi.getIncomingValueForBlock(block) : nullptr;
          if (incoming != nullptr && counts(incoming)) {
            live.insert(cast<Instruction>(incoming));
          }
        }
      }
      unsigned full = 0;
      for (const Instruction *inst : live) {
        full += size(inst);
      }
      most = std::max(most, full);
      for (Instruction &inst : reverse(*block)) {
        if (live.remove(&inst)) {
          full -= size(&inst);
        }
        if (isa<PHINode>(inst)) {
          continue;
        }
        for (Value *operand : inst.operands()) {
          if (counts(operand) && live.insert(cast<Instruction>(operand))) {
            full += size(cast<Instruction>(operand));
          }
        }
        most = std::max(most, full);
      }
      for (const Instruction *inst : live) {
        changed |= live_in[block].insert(inst);
      }
    }
  }
  return most;
}

}  // namespace hel::cc

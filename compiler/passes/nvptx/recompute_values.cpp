// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/nvptx/recompute_values.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/ADT/PostOrderIterator.h"

namespace hel::cc {
namespace {

constexpr unsigned kFew = 48;      // registers that are no hindrance: a multiprocessor is full of threads with 32
constexpr unsigned kDearest = 4;   // instructions that compute one value again
constexpr unsigned kMostUses = 8;  // blocks in which a value is computed again

using Values = llvm::SmallPtrSet<llvm::Instruction *, 32>;

struct Recomputation {
  llvm::Function &function;
  const llvm::LoopInfo &loops;
  const llvm::DataLayout &layout = function.getDataLayout();
  llvm::DenseMap<const llvm::BasicBlock *, Values> live_in{}, live_out{};
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> pressure{};  // registers at the fullest place of a block
  bool changed = false;

  /// 32-bit registers; predicates have their own.
  unsigned registers(const llvm::Value &value) const {
    llvm::Type *type = value.getType();
    if (!type->isSized() || type->isIntOrIntVectorTy(1)) {
      return 0;
    }
    return llvm::divideCeil(layout.getTypeSizeInBits(type).getFixedValue(), 32);
  }

  // Which values are in registers where.

  /// Marks `value` as live from its definition to the end of `block`.
  void reach_end(llvm::Instruction *value, llvm::BasicBlock *block) {
    llvm::SmallVector<llvm::BasicBlock *, 16> ends{block};
    while (!ends.empty()) {
      llvm::BasicBlock *end = ends.pop_back_val();
      if (live_out[end].insert(value).second && end != value->getParent() && live_in[end].insert(value).second) {
        ends.append(llvm::pred_begin(end), llvm::pred_end(end));
      }
    }
  }

  void find_live_values() {
    for (llvm::Instruction &value : llvm::instructions(function)) {
      for (llvm::Use &use : value.uses()) {
        auto *user = llvm::cast<llvm::Instruction>(use.getUser());
        if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user)) {
          reach_end(&value, phi->getIncomingBlock(use));
        } else if (user->getParent() != value.getParent() && live_in[user->getParent()].insert(&value).second) {
          for (llvm::BasicBlock *before : llvm::predecessors(user->getParent())) {
            reach_end(&value, before);
          }
        }
      }
    }
  }

  void measure(llvm::BasicBlock &block) {
    Values live = live_out[&block];
    unsigned now = 0;
    for (const llvm::Instruction *value : live) {
      now += registers(*value);
    }
    unsigned most = now;
    for (llvm::Instruction &inst : llvm::reverse(block)) {
      if (live.erase(&inst)) {
        now -= registers(inst);
      }
      if (llvm::isa<llvm::PHINode>(inst)) {
        continue;
      }
      for (llvm::Value *operand : inst.operands()) {
        auto *value = llvm::dyn_cast<llvm::Instruction>(operand);
        if (value && live.insert(value).second) {
          now += registers(*value);
        }
      }
      most = std::max(most, now);
    }
    pressure[&block] = most;
  }

  // Which values need none.

  static bool is_cheap(const llvm::Instruction &inst) {
    switch (inst.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Shl:
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr:
      case llvm::Instruction::And:
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
      case llvm::Instruction::Trunc:
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt:
      case llvm::Instruction::BitCast:
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::IntToPtr:
      case llvm::Instruction::AddrSpaceCast:
        return !inst.getType()->isVectorTy();
      case llvm::Instruction::GetElementPtr:
        return inst.getNumOperands() == 2 && !inst.getType()->isVectorTy();
      default:
        return false;
    }
  }

  /// Where a use needs its value: the user, or the end of the block that a phi's value comes from.
  static llvm::Instruction *place(const llvm::Use &use) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
    return phi ? phi->getIncomingBlock(use)->getTerminator() : user;
  }

  /// Whether at most `budget` instructions compute `value` in `block` from what is in registers there anyway.
  bool is_affordable(const llvm::Instruction &value, const llvm::BasicBlock *block, unsigned &budget) {
    if (budget == 0 || value.getParent() == block || !is_cheap(value)) {
      return false;
    }
    --budget;
    return llvm::all_of(value.operands(), [&](const llvm::Value *operand) {
      auto *inst = llvm::dyn_cast<llvm::Instruction>(operand);
      return !inst || live_in[block].contains(inst) || is_affordable(*inst, block, budget);
    });
  }

  bool is_worth_it(llvm::Instruction &value) {
    bool in_the_way = llvm::any_of(function, [&](llvm::BasicBlock &block) {
      return pressure[&block] > kFew && (live_out[&block].contains(&value) || live_in[&block].contains(&value));
    });
    llvm::SmallPtrSet<llvm::BasicBlock *, 8> blocks;
    return in_the_way && llvm::all_of(value.uses(), [&](llvm::Use &use) {
             llvm::BasicBlock *block = place(use)->getParent();
             blocks.insert(block);
             unsigned budget = kDearest;
             return block == value.getParent() || (loops.getLoopDepth(block) <= loops.getLoopDepth(value.getParent()) &&
                                                   blocks.size() <= kMostUses && is_affordable(value, block, budget));
           });
  }

  llvm::Instruction *copy(llvm::Instruction &value, llvm::BasicBlock *block, llvm::Instruction *before) {
    llvm::Instruction *again = value.clone();
    again->insertBefore(before->getIterator());
    for (llvm::Use &operand : again->operands()) {
      auto *inst = llvm::dyn_cast<llvm::Instruction>(operand);
      if (inst && !live_in[block].contains(inst)) {
        operand.set(copy(*inst, block, again));
      }
    }
    return again;
  }

  void recompute(llvm::Instruction &value) {
    llvm::MapVector<llvm::BasicBlock *, llvm::SmallVector<llvm::Use *, 4>> uses;
    for (llvm::Use &use : value.uses()) {
      if (llvm::BasicBlock *block = place(use)->getParent(); block != value.getParent()) {
        uses[block].push_back(&use);
      }
    }
    for (auto &[block, of_block] : uses) {
      llvm::Instruction *first = place(*of_block.front());
      for (llvm::Use *use : of_block) {
        first = place(*use)->comesBefore(first) ? place(*use) : first;
      }
      llvm::Instruction *again = copy(value, block, first);
      for (llvm::Use *use : of_block) {
        use->set(again);
      }
    }
    for (llvm::BasicBlock &block : function) {
      bool was_live = live_in[&block].erase(&value);
      was_live |= live_out[&block].erase(&value);
      if (was_live) {
        pressure[&block] -= std::min(pressure[&block], registers(value));
      }
    }
    changed = true;
  }
};

}  // namespace

bool recompute_values(llvm::Function &function, const llvm::LoopInfo &loops) {
  Recomputation work{function, loops};
  work.find_live_values();
  bool is_full = false;
  for (llvm::BasicBlock &block : function) {
    work.measure(block);
    is_full |= work.pressure[&block] > kFew;
  }
  if (!is_full) {
    return false;
  }
  // Users come before what they use, so that a value is needed only where it stays.
  for (llvm::BasicBlock *block : llvm::post_order(&function)) {
    llvm::SmallVector<llvm::Instruction *, 32> candidates;
    for (llvm::Instruction &inst : llvm::reverse(*block)) {
      if (work.is_cheap(inst) && work.live_out[block].contains(&inst)) {
        candidates.push_back(&inst);
      }
    }
    for (llvm::Instruction *value : candidates) {
      if (work.is_worth_it(*value)) {
        work.recompute(*value);
      }
    }
  }
  return work.changed;
}

}  // namespace hel::cc

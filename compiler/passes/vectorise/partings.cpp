// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/partings.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/named_calls.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/block_uniformity.h"
#include "compiler/passes/vectorise/split_phases.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"

namespace hel::cc {

using namespace llvm;

namespace {

constexpr size_t kMost = 6;             ///< each is a phase of its own
constexpr size_t kMostRepeated = 3000;  ///< instructions, by those phases

/// A number made of the warp's number and of what all warps have alike: neighbours have neighbouring ones.
class Numbers {
public:
  explicit Numbers(const BlockUniformity &uniformity) : uniformity_(uniformity) {}

  bool contains(const Value *value) {
    const auto *inst = dyn_cast<Instruction>(value);
    if (inst == nullptr || uniformity_.is_uniform(inst) || !seen_.insert(inst).second) {
      return true;
    }
    bool computes = isa<BinaryOperator, ICmpInst, CastInst, SelectInst, PHINode>(inst);
    return computes && inst->getType()->isIntegerTy() &&
           all_of(inst->operands(), [&](const Use &operand) { return contains(operand.get()); });
  }

private:
  const BlockUniformity &uniformity_;
  SmallPtrSet<const Instruction *, 16> seen_;
};

/// What a warp runs between two barriers.
class Stretches {
public:
  Stretches(Function &body, ArrayRef<CallInst *> barriers) : dominators_(body), loops_(dominators_) {
    for (const CallInst *barrier : barriers) {
      if (!is_round(*barrier)) {
        stops_.insert(barrier->getParent());
      }
    }
    SetVector<BasicBlock *> sums;
    for (const Loop *loop : loops_.getLoopsInPreorder()) {
      if (any_of(loop->getHeader()->phis(), is_carried) && !is_masked(*loop)) {
        sums.insert(loop->getHeader());
      }
    }
    for (const BasicBlock *block : behind(sums)) {
      beside_sums_.insert(block);
    }
    for (size_t i = 0; i < sums.size(); i++) {
      beside_sums_.insert(sums[i]);
      sums.insert_range(
          make_filter_range(predecessors(sums[i]), [&](BasicBlock *from) { return !stops_.contains(from); }));
    }
  }

  /// In, before or behind a loop that adds up vectors, which is what joint execution is for.
  bool is_beside_sums(const BasicBlock &block) const {
    const Loop *loop = loops_.getLoopFor(&block);
    return !stops_.contains(&block) && beside_sums_.contains(&block) && (loop == nullptr || !is_masked(*loop));
  }

  /// How many instructions it is from the end of `block` to the barriers.
  size_t length_behind(BasicBlock &block) const {
    SetVector<BasicBlock *> next;
    next.insert(&block);
    size_t size = 0;
    for (const BasicBlock *reached : behind(next)) {
      size += reached->size();
    }
    return size;
  }

private:
  /// It carries the mask of the lanes that are in it.
  static bool is_masked(const Loop &loop) {
    return any_of(loop.getHeader()->phis(), [](const PHINode &phi) {
      return phi.getType()->isVectorTy() && phi.getType()->isIntOrIntVectorTy(1);
    });
  }

  SetVector<BasicBlock *> behind(SetVector<BasicBlock *> blocks) const {
    for (size_t i = 0; i < blocks.size(); i++) {
      if (!stops_.contains(blocks[i])) {
        blocks.insert(succ_begin(blocks[i]), succ_end(blocks[i]));
      }
    }
    return blocks;
  }

  const DominatorTree dominators_;
  const LoopInfo loops_;
  SmallPtrSet<const BasicBlock *, 8> stops_;  ///< have a barrier
  SmallPtrSet<const BasicBlock *, 32> beside_sums_;
};

}  // namespace

bool is_parting(const Instruction &inst) { return is_call_of(&inst, kParting); }

bool is_carried(const Instruction &inst) {
  return isa<PHINode>(inst) && inst.getType()->isVectorTy() && !inst.getType()->isPtrOrPtrVectorTy() &&
         !inst.getType()->isIntOrIntVectorTy(1);
}

std::vector<CallInst *> mark_partings(Function &body, ArrayRef<CallInst *> barriers) {
  std::vector<CallInst *> marks;
  if (!body.getArg(kLanes)->use_empty() || none_of(instructions(body), is_carried)) {
    return marks;
  }
  const SmallVector<const CallInst *, 8> known(barriers);
  const BlockUniformity uniformity(body, known);
  auto may_part = [&](const BranchInst &branch) {
    const auto *condition = branch.isConditional() ? dyn_cast<Instruction>(branch.getCondition()) : nullptr;
    return condition != nullptr && none_of(successors(&branch), ends_round) && !uniformity.is_uniform(condition) &&
           Numbers(uniformity).contains(condition);
  };
  SmallVector<Instruction *, 8> branches;
  const Stretches stretches(body, barriers);
  size_t repeated = 0;
  for (BasicBlock &block : body) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch != nullptr && stretches.is_beside_sums(block) && may_part(*branch)) {
      repeated += stretches.length_behind(block);
      branches.push_back(branch);
    }
  }
  if (branches.size() <= kMost && repeated <= kMostRepeated) {
    FunctionCallee mark = body.getParent()->getOrInsertFunction(kParting, Type::getVoidTy(body.getContext()));
    for (Instruction *branch : branches) {
      marks.push_back(CallInst::Create(mark, "", branch->getIterator()));
    }
  }
  return marks;
}

}  // namespace hel::cc

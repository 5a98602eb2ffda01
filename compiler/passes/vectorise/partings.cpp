// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/partings.h"

#include "compiler/ir/llvm_headers.h"
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

}  // namespace

bool is_parting(const Instruction &inst) {
  const auto *call = dyn_cast<CallInst>(&inst);
  return call != nullptr && call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == kParting;
}

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
  for (BasicBlock &block : body) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch != nullptr && may_part(*branch)) {
      branches.push_back(branch);
    }
  }
  if (branches.size() <= kMost && branches.size() * body.getInstructionCount() <= kMostRepeated) {
    FunctionCallee mark = body.getParent()->getOrInsertFunction(kParting, Type::getVoidTy(body.getContext()));
    for (Instruction *branch : branches) {
      marks.push_back(CallInst::Create(mark, "", branch->getIterator()));
    }
  }
  return marks;
}

}  // namespace hel::cc

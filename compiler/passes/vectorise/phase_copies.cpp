// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of a phase, copied for one warp or for several that run them jointly: what differs between the warps
// stands once for each, what is a constant apart is computed once.
#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/phase_writer.h"

#include "llvm/IR/NoFolder.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Copies the blocks: what differs between the warps once for each, what is a constant apart as that, the rest once.
void PhaseWriter::clone_blocks(const JointWarps *joint) {
  for (BasicBlock *block : blocks_) {
    BasicBlock *copy = BasicBlock::Create(body_.getContext(), block->getName(), phase_, latch_);
    SmallVector<Instruction *, 8> apart;
    for (Instruction &inst : *block) {
      if (!isa<PHINode>(inst)) {
        write_steps(apart, *copy);
      }
      if (isa<AllocaInst>(inst) || is_passed(inst, joint)) {
        continue;
      }
      bool steps = steps_ && joint->differs(&inst) && steps_->of(&inst);
      bool once = joint == nullptr || inst.isTerminator() || !joint->differs(&inst) || steps;
      Instruction *made = nullptr;
      for (std::unique_ptr<OneWarp> &one : warps_) {
        if (made == nullptr || !once) {
          made = inst.clone();
          made->insertInto(copy, copy->end());
          made->setName(inst.getName());
        }
        one->map[&inst] = made;
      }
      if (steps) {
        apart.push_back(&inst);
      }
    }
    for (std::unique_ptr<OneWarp> &one : warps_) {
      one->map[block] = copy;
    }
  }
  builder_.CreateBr(cast<BasicBlock>(warps_[0]->map[blocks_[0]]));
}

/// The values of the other warps, as what is `apart` from the first one's.
void PhaseWriter::write_steps(SmallVectorImpl<Instruction *> &apart, BasicBlock &copy) {
  IRBuilder<NoFolder> builder(&copy);
  for (Instruction *inst : apart) {
    auto *first = cast<Instruction>(warps_[0]->map[inst]);
    for (size_t i = 1; i < warps_.size() && *steps_->of(inst) != 0; i++) {
      auto distance = static_cast<uint64_t>(*steps_->of(inst)) * i;
      warps_[i]->map[inst] =
          first->getType()->isPointerTy()
              ? builder.CreatePtrAdd(first, builder.getInt64(distance), first->getName())
              : builder.CreateAdd(first, ConstantInt::get(first->getType(), distance), first->getName());
    }
  }
  apart.clear();
}

/// Lets the copies refer to each other, and to what is loaded where nothing of this phase defines it.
void PhaseWriter::connect_copies(const JointWarps *joint) {
  SmallPtrSet<Instruction *, 32> connected;
  for (std::unique_ptr<OneWarp> &one : warps_) {
    SmallVector<Instruction *, 32> copies;
    for (BasicBlock *source : blocks_) {
      for (Instruction &inst : *source) {
        if (!isa<AllocaInst>(inst) && !is_passed(inst, joint)) {
          copies.push_back(cast<Instruction>(one->map[&inst]));
        }
      }
    }
    for (auto [value, loaded] : one->loaded) {
      if (!is_defined_here(value)) {
        one->map[value] = loaded;
      }
    }
    for (Instruction *copy : copies) {
      if (!connected.insert(copy).second) {
        continue;
      }
      if (auto *phi = dyn_cast<PHINode>(copy)) {
        phi->removeIncomingValueIf([&](unsigned i) { return !blocks_.contains(phi->getIncomingBlock(i)); }, false);
      }
      RemapInstruction(copy, one->map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  }
}

/// Whether a condition holds for all warps, and whether for none. Of numbers in order the first and the last one tell;
/// of two conditions in one, either may be the one that holds for none.
PhaseWriter::AllOrNone PhaseWriter::all_or_none(const Value &condition) {
  const Value *one = nullptr, *other = nullptr;
  if (match(&condition, m_And(m_Value(one), m_Value(other))) &&
      (steps_->comparison(*one) || steps_->comparison(*other))) {
    const AllOrNone a = all_or_none(*one), b = all_or_none(*other);
    return {builder_.CreateAnd(a.all, b.all), builder_.CreateOr(a.none, b.none)};
  }
  auto its = [](const OneWarp &warp, const Value &value) {
    Value *mapped = warp.map.lookup(&value);
    return mapped != nullptr ? mapped : const_cast<Value *>(&value);
  };
  const OneWarp &first = *warps_.front(), &last = *warps_.back();
  if (auto known = steps_->comparison(condition)) {
    bool is_signed = CmpInst::isSigned(known->predicate);
    bool less = ICmpInst::isLT(known->predicate) || ICmpInst::isLE(known->predicate);
    Value *in_order = builder_.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, its(first, *known->rising),
                                          its(last, *known->rising));
    return {builder_.CreateAnd(in_order, its(less ? last : first, condition)),
            builder_.CreateAnd(in_order, builder_.CreateNot(its(less ? first : last, condition)))};
  }
  Value *all = nullptr, *any = nullptr;
  for (std::unique_ptr<OneWarp> &warp : warps_) {
    Value *holds = its(*warp, condition);
    all = all == nullptr ? holds : builder_.CreateAnd(all, holds);
    any = any == nullptr ? holds : builder_.CreateOr(any, holds);
  }
  return {all, builder_.CreateNot(any)};
}

/// All warps go one way, or all go the other, or each of them goes on alone from here.
void PhaseWriter::part(size_t end, const JointWarps &joint) {
  BasicBlock *source = values_.ends()[end].after;
  auto *branch = cast<BranchInst>(source->getTerminator());
  if (!joint.differs(branch)) {
    return;
  }
  auto *from = cast<BasicBlock>(warps_[0]->map[source]);
  from->getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(from);
  const AllOrNone taken_by = all_or_none(*branch->getCondition());
  const std::pair<BasicBlock *, Value *> ways[] = {{branch->getSuccessor(0), taken_by.all},
                                                   {branch->getSuccessor(1), taken_by.none}};
  for (auto [way, taken] : ways) {
    if (!blocks_.contains(way)) {
      continue;
    }
    auto *to = cast<BasicBlock>(warps_[0]->map[way]);
    BasicBlock *at = builder_.GetInsertBlock(),
               *otherwise = BasicBlock::Create(phase_->getContext(), "part", phase_, latch_);
    to->replacePhiUsesWith(from, at);
    builder_.CreateCondBr(taken, to, otherwise);
    builder_.SetInsertPoint(otherwise);
  }
  BasicBlock *parted = builder_.GetInsertBlock();
  leaves_.push_back({end, parted});
  leave(parted, first_ + static_cast<uint32_t>(end) + 1);
}

}  // namespace hel::cc

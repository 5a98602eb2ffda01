// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last turn of a loop that counts up to what is the same for all (`for (i = lane; i < n; i += 32)`): the warp parts
// there, and only the first so many lanes go on. These are counted, and leave the loop as one.
//
//      while all lanes are below n        the others           nobody is left
//     0 … 31 │ 32 … 63 │ 64 … 95  │  96 … n-1, mask = ~(-1 << (n - 96))  │
#include "compiler/ir/counted_lanes.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace hel::cc {

using namespace llvm;

/// A comparison of what steps from lane to lane with what is the same for all, in the order `index ? bound`.
struct Widener::Count {
  Value *index, *bound;
  CmpInst::Predicate predicate;
  int64_t stride;
};

/// If that is what the condition is, and the indices of a warp that is together do not wrap around.
std::optional<Widener::Count> Widener::count_of(Value *condition) const {
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || compare->isEquality()) {
    return std::nullopt;
  }
  Count count{compare->getOperand(0), compare->getOperand(1), compare->getPredicate(), 0};
  if (!shape_of(count.index).is_linear()) {
    std::swap(count.index, count.bound);
    count.predicate = CmpInst::getSwappedPredicate(count.predicate);
  }
  const Shape shape = shape_of(count.index);
  const bool exact = CmpInst::isSigned(count.predicate) ? shape.exact_signed : shape.exact_unsigned;
  if (shape.kind != Shape::Affine || shape.guarded || !exact || shape.stride <= 0 ||
      !shape_of(count.bound).is_uniform() || !count.index->getType()->isIntegerTy()) {
    return std::nullopt;
  }
  count.stride = shape.stride;
  return count;
}

/// The lanes of a warp that is together in which the condition holds, where it holds in some but not in all of them: so
/// many of the first ones (or, for `index > bound`, all but these) as there are steps from the first lane's index to
/// the bound. Null if the condition is of another kind.
Value *Widener::lanes_counted(Value *condition) {
  const std::optional<Count> count = count_of(condition);
  if (!count.has_value() || !isPowerOf2_64(static_cast<uint64_t>(count->stride)) ||
      cast<Instruction>(condition)->getParent() != order_->blocks()[index_]) {
    return nullptr;
  }
  // For `<` and `>=` the lanes below the bound are the steps to it, rounded up; for the others the bound's own counts.
  const bool strict = ICmpInst::isLT(count->predicate) || ICmpInst::isGE(count->predicate);
  const bool below = ICmpInst::isLT(count->predicate) || ICmpInst::isLE(count->predicate);
  Value *distance = builder_.CreateSub(base(count->bound, 0), base(count->index, 0));
  Value *rounded = builder_.CreateAdd(
      distance, ConstantInt::get(distance->getType(), static_cast<uint64_t>(count->stride - (strict ? 1 : 0))));
  Value *lanes = builder_.CreateLShr(rounded, Log2_64(static_cast<uint64_t>(count->stride)));
  Value *rest = builder_.CreateShl(builder_.getInt32(~0u), builder_.CreateZExtOrTrunc(lanes, builder_.getInt32Ty()));
  return builder_.CreateBitCast(below ? builder_.CreateNot(rest) : rest, mask_->getType());
}

/// Lanes that a warp, which was together, loses at the header of the loop leave it there, and the others when they come
/// back: each turn goes on by as much as from the first lane to the last, or more. (That the first lane's index does
/// not wrap around meanwhile is what its addition promises: it is one of those that go on.)
bool Widener::ends_after_parting(const Loop &loop) const {
  BasicBlock *header = loop.getHeader();
  const auto *branch = dyn_cast<BranchInst>(header->getTerminator());
  if (branch == nullptr || !shapes_.is_divergent_branch(header) || !is_guard(header) ||
      loop.contains(branch->getSuccessor(0)) == loop.contains(branch->getSuccessor(1)) ||
      any_of(loop.blocks(), [&](BasicBlock *block) { return block != header && shapes_.is_divergent_branch(block); })) {
    return false;
  }
  const std::optional<Count> count = count_of(branch->getCondition());
  if (!count.has_value() || !loop.isLoopInvariant(count->bound)) {
    return false;
  }
  const bool stays_below = loop.contains(branch->getSuccessor(0))
                               ? ICmpInst::isLT(count->predicate) || ICmpInst::isLE(count->predicate)
                               : ICmpInst::isGT(count->predicate) || ICmpInst::isGE(count->predicate);
  const auto *index = dyn_cast<PHINode>(count->index);
  if (!stays_below || index == nullptr || index->getParent() != header) {
    return false;
  }
  const auto *next = dyn_cast<OverflowingBinaryOperator>(index->getIncomingValueForBlock(loop.getLoopLatch()));
  if (next == nullptr || next->getOpcode() != Instruction::Add || next->getOperand(0) != index ||
      !(CmpInst::isSigned(count->predicate) ? next->hasNoSignedWrap() : next->hasNoUnsignedWrap())) {
    return false;
  }
  const auto *step = dyn_cast<ConstantInt>(next->getOperand(1));
  return step != nullptr && step->getValue().sge((kWarpSize - 1) * count->stride);
}

/// In a warp that was together until the loop's header, some lanes go on: the branch, which has asked before whether
/// all do, is taken to `if_taken` if none does.
void Widener::tell_last_turn(BranchInst &branch, BasicBlock *header, BasicBlock *if_taken) const {
  const Loop *loop = loops_.getLoopFor(header);
  if (loop != nullptr && loop->getHeader() == header && ending_.contains(loop) && !loop->contains(if_taken)) {
    const auto *index = cast<PHINode>(count_of(cast<BranchInst>(header->getTerminator())->getCondition())->index);
    const auto *next = cast<BinaryOperator>(index->getIncomingValueForBlock(loop->getLoopLatch()));
    mark_last_turn(branch, cast<ConstantInt>(next->getOperand(1))->getZExtValue());
  }
}

/// Where control goes when all lanes leave the loop at the end of the block: what is inside waits for nobody.
unsigned Widener::next_outside(unsigned index) const {
  const Loop *loop = loops_.getLoopFor(order_->blocks()[index]);
  unsigned next = order_->next_after_divergent(index);
  for (BasicBlock *inside : successors(order_->blocks()[index])) {
    if (loop->contains(inside) && next == order_->index_of(inside) && !order_->pending(index).contains(next)) {
      order_->next_when_skipped(next, next);
      break;
    }
  }
  return next;
}

/// Lanes that are elsewhere than others of their warp mostly leave such a loop in one turn, too. The first or the last
/// lane tells, without masks. True if no lane stays; else what follows is for lanes that go both ways.
bool Widener::leave_together(unsigned index) {
  BasicBlock *source = order_->blocks()[index];
  auto *branch = cast<BranchInst>(source->getTerminator());
  const Loop *loop = loops_.getLoopFor(source);
  if (loop == nullptr || loop->contains(branch->getSuccessor(0)) == loop->contains(branch->getSuccessor(1))) {
    return false;
  }
  const bool exit_when = !loop->contains(branch->getSuccessor(0));
  BasicBlock *exit = branch->getSuccessor(exit_when ? 0 : 1);
  const unsigned next = next_outside(index);
  if (loop->getHeader() == source && ending_.contains(loop)) {
    emit_edge(source, exit, mask_);
    builder_.CreateBr(entry_[next]);
    return true;
  }
  auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
  Value *all_leave = compare != nullptr && compare->getParent() == source && is_guard(compare)
                         ? settled_comparison(*compare, exit_when)
                         : nullptr;
  if (all_leave == nullptr) {
    return false;
  }
  BasicBlock *leave = BasicBlock::Create(context_, source->getName() + ".over", &body_),
             *some_stay = BasicBlock::Create(context_, source->getName() + ".not.over", &body_);
  builder_.CreateCondBr(all_leave, leave, some_stay, MDBuilder(context_).createLikelyBranchWeights());
  builder_.SetInsertPoint(leave);
  {
    const Way way(local_);
    emit_edge(source, exit, mask_);
  }
  builder_.CreateBr(entry_[next]);
  builder_.SetInsertPoint(some_stay);
  return false;
}

}  // namespace hel::cc

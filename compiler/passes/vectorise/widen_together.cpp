// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of blocks: while all 32 lanes of a warp are at one place, the code that it runs has no masks. At a guard (a
// comparison of indices, such as `i < n`) such a warp is asked where it goes as a whole; a warp that parts goes on in
// the form with masks, and comes back at the place where all its lanes have met again.
//
//          together        apart
//             b
//   all /     |     \ mixed
//      y     none    '───► y'  (mask)
//      |      n            n'  (mask)
//      '──►   j  ◄─────────'
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Which forms of which blocks a warp can come to, from the entry on.
class Widener::Forms {
public:
  explicit Forms(const Widener &widener) : widener_(widener), order_(*widener.order_) {
    entered.assign(order_.blocks().size(), 0);
    apart = together = entered;
    find_ending_loops();
    add(widener.full_ ? together : apart, 0);
    while (changed_) {
      changed_ = false;
      for (unsigned i = 0; i < order_.blocks().size(); i++) {
        if (together[i] != 0) {
          follow_together(i);
        }
        if (entered[i] != 0) {
          follow_entry(i);
        }
        if (apart[i] != 0) {
          follow_apart(i);
        }
      }
    }
  }

  std::vector<char> entered;  ///< lanes that have parted come here
  std::vector<char> apart, together;
  SmallPtrSet<const Loop *, 4> ending;  ///< loops that lanes which have parted end with the turn that they are in

private:
  void find_ending_loops() {
    for (const Loop *loop : widener_.loops_.getLoopsInPreorder()) {
      if (widener_.full_ && widener_.ends_after_parting(*loop)) {
        ending.insert(loop);
      }
    }
  }

  void add(std::vector<char> &forms, unsigned index) {
    changed_ |= forms[index] == 0;
    forms[index] = 1;
    const Loop *loop = widener_.loops_.getLoopFor(order_.blocks()[index]);
    if (&forms != &together && loop != nullptr && loop->getHeader() == order_.blocks()[index]) {
      changed_ |= ending.erase(loop);  // lanes that have parted before may have any number of turns before them
    }
  }

  void follow_together(unsigned index) {
    const BasicBlock *block = order_.blocks()[index];
    bool parts = widener_.shapes_.is_divergent_branch(block);
    if (!parts || widener_.is_guard(block)) {
      for (const BasicBlock *next : successors(block)) {
        add(widener_.parts_at(block, next) ? apart : together, order_.index_of(next));
      }
    }
    if (parts) {
      add(entered, order_.first_successor(index));
    }
  }

  void follow_entry(unsigned index) {
    int source = widener_.whole_mask_source_[index];
    bool whole = source >= 0 && together[source] != 0;
    if (whole) {
      add(together, index);
    }
    if (!whole || apart[source] != 0) {
      add(apart, index);
    }
    if (unsigned next = 0; order_.may_be_empty(index) && order_.next_when_skipped(index, next)) {
      add(entered, next);
    }
  }

  void follow_apart(unsigned index) {
    const BasicBlock *block = order_.blocks()[index];
    const Loop *loop = widener_.loops_.getLoopFor(block);
    if (loop != nullptr && loop->getLoopLatch() == block) {
      if (const unsigned header = order_.index_of(loop->getHeader()); ending.contains(loop)) {
        changed_ |= apart[header] == 0;
        apart[header] = 1;
      } else {
        add(apart, header);
      }
      if (unsigned outside = widener_.after_loop(index); outside != ~0u) {
        add(entered, outside);
      }
    } else if (ending.contains(loop) && loop->getHeader() == block) {
      add(entered, widener_.next_outside(index));
    } else if (widener_.shapes_.is_divergent_branch(block)) {
      add(entered, order_.next_after_divergent(index));
    } else {
      for (const BasicBlock *next : successors(block)) {
        add(entered, order_.next_on_edge(index, order_.index_of(next)));
      }
    }
  }

  const Widener &widener_;
  const LinearOrder &order_;
  bool changed_ = true;
};

/// Creates the blocks that will be written.
void Widener::find_forms() {
  const Forms forms(*this);
  ending_ = forms.ending;
  size_t count = order_->blocks().size();
  entry_.assign(count, nullptr);
  body_block_[Apart] = body_block_[Together] = entry_;
  for (unsigned i = 0; i < count; i++) {
    StringRef name = order_->blocks()[i]->getName();
    if (forms.together[i] != 0) {
      body_block_[Together][i] = BasicBlock::Create(context_, name, &body_);
    }
    if (forms.entered[i] != 0) {
      int source = whole_mask_source_[i];
      unsigned next = 0;
      bool skipped = order_->may_be_empty(i) && order_->next_when_skipped(i, next);
      bool meets = source >= 0 && forms.together[source] != 0;
      entry_[i] = skipped || meets ? BasicBlock::Create(context_, name + ".any", &body_) : nullptr;
    }
    if (forms.apart[i] != 0) {
      const char *suffix = forms.together[i] != 0 ? ".apart" : "";
      body_block_[Apart][i] = BasicBlock::Create(context_, name + suffix, &body_);
    }
    if (forms.entered[i] != 0 && entry_[i] == nullptr) {
      entry_[i] = body_block_[Apart][i];
    }
  }
}

/// The branch at the end of `block` compares indices of the lanes with what is the same for all: most warps go one way.
bool Widener::is_guard(const BasicBlock *block) const {
  return guarded_twice_ && is_guard(cast<BranchInst>(block->getTerminator())->getCondition());
}

bool Widener::is_guard(const Value *condition) const {
  const Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a)))) {
    return is_guard(a);
  }
  if (match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) || match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    return (is_guard(a) || shape_of(a).is_uniform()) && (is_guard(b) || shape_of(b).is_uniform());
  }
  const auto *compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr) {
    return false;
  }
  const Shape left = shape_of(compare->getOperand(0)), right = shape_of(compare->getOperand(1));
  return (left.is_linear() && right.is_same_in_row()) || (right.is_linear() && left.is_same_in_row());
}

void Widener::emit_together_terminator(unsigned index) {
  BasicBlock *source = order_->blocks()[index];
  auto *branch = cast<BranchInst>(source->getTerminator());
  if (branch->isUnconditional()) {
    return go_together(source, branch->getSuccessor(0));
  }
  if (shapes_.is_divergent_branch(source)) {
    return is_guard(source) ? emit_guard(index) : emit_parting(index, vector(branch->getCondition()));
  }
  Value *condition = scalar(branch->getCondition());
  BasicBlock *edges[2] = {BasicBlock::Create(context_, source->getName() + ".yes", &body_),
                          BasicBlock::Create(context_, source->getName() + ".no", &body_)};
  builder_.CreateCondBr(condition, edges[0], edges[1]);
  for (unsigned i = 0; i < 2; i++) {
    builder_.SetInsertPoint(edges[i]);
    const Way way(local_);
    go_together(source, branch->getSuccessor(i));
  }
}

void Widener::go_together(BasicBlock *from, BasicBlock *to) {
  if (parts_at(from, to)) {
    emit_edge(from, to, mask_);
    builder_.CreateBr(body_block_[Apart][order_->index_of(to)]);
    return;
  }
  if (const Loop *loop = loops_.getLoopFor(to); loop != nullptr && loop->getHeader() == to && !loop->contains(from)) {
    foresee_rounds(*loop);
  }
  emit_phis(from, to, mask_);
  end_round(from, to);
  builder_.CreateBr(body_block_[Together][order_->index_of(to)]);
}

/// The edge enters a loop that lanes leave one by one: only its first round would find them together.
bool Widener::parts_at(const BasicBlock *from, const BasicBlock *to) const {
  const Loop *loop = loops_.getLoopFor(to);
  if (loop == nullptr || loop->getHeader() != to || loop->contains(from)) {
    return false;
  }
  SmallVector<BasicBlock *, 4> exiting;
  loop->getExitingBlocks(exiting);
  return any_of(exiting, [&](BasicBlock *block) { return shapes_.is_divergent_branch(block) && !is_guard(block); });
}

/// Asks first for the way that can be told from the first and the last lane.
void Widener::emit_guard(unsigned index) {
  BasicBlock *source = order_->blocks()[index];
  auto *branch = cast<BranchInst>(source->getTerminator());
  Value *condition = branch->getCondition();
  bool likely = !match(condition, m_LogicalOr(m_Value(), m_Value()));
  for (bool truth : {likely, !likely}) {
    BasicBlock *all = BasicBlock::Create(context_, source->getName() + (truth ? ".all" : ".none"), &body_),
               *others = BasicBlock::Create(context_, source->getName() + ".mixed", &body_);
    MDBuilder weights(context_);
    BranchInst *asked =
        builder_.CreateCondBr(settled(condition, truth), all, others, weights.createLikelyBranchWeights());
    if (truth != likely) {
      tell_last_turn(*asked, source, branch->getSuccessor(truth ? 0 : 1));
    }
    builder_.SetInsertPoint(all);
    {
      const Way way(local_);
      go_together(source, branch->getSuccessor(truth ? 0 : 1));
    }
    builder_.SetInsertPoint(others);
  }
  Value *counted = lanes_counted(condition);
  emit_parting(index, counted != nullptr ? counted : vector(condition));
}

/// True if the condition is `truth` in all lanes of a warp that is together.
Value *Widener::settled(Value *condition, bool truth) {
  if (shape_of(condition).is_uniform()) {
    return truth ? scalar(condition) : builder_.CreateNot(scalar(condition));
  }
  auto *inst = dyn_cast<Instruction>(condition);
  // Operands of what another block computes need not be known here.
  if (inst != nullptr && inst->getParent() == order_->blocks()[index_]) {
    Value *a = nullptr, *b = nullptr;
    if (match(inst, m_Not(m_Value(a)))) {
      return settled(a, !truth);
    }
    if (truth ? match(inst, m_LogicalAnd(m_Value(a), m_Value(b))) : match(inst, m_LogicalOr(m_Value(a), m_Value(b)))) {
      Value *first = settled(a, truth);
      return builder_.CreateLogicalAnd(first, settled(b, truth));
    }
    if (auto *compare = dyn_cast<ICmpInst>(inst)) {
      if (Value *result = settled_comparison(*compare, truth)) {
        return result;
      }
    }
  }
  return builder_.CreateICmpEQ(mask_bits(vector(condition)), builder_.getInt32(truth ? ~0u : 0));
}

/// Whether the comparison is `truth` in all lanes of the warp, told by those that are there; false may mean that it is
/// not known. The lane with the largest or the smallest index of each row decides; an index equals none of a row when
/// it is not between them. Null if the comparison is of another kind.
Value *Widener::settled_comparison(const ICmpInst &compare, bool truth) {
  CmpInst::Predicate predicate = truth ? compare.getPredicate() : compare.getInversePredicate();
  Value *index = compare.getOperand(0), *bound = compare.getOperand(1);
  if (!shape_of(index).is_linear()) {
    std::swap(index, bound);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const Shape shape = shape_of(index);
  if (!shape.is_linear() || !shape_of(bound).is_same_in_row() || !index->getType()->isIntegerTy() ||
      index->getType()->isIntegerTy(1)) {
    return nullptr;
  }
  unsigned rows = std::max(base_count(shape), base_count(shape_of(bound)));
  unsigned bits = index->getType()->getIntegerBitWidth();
  if (bits > 64 || std::abs(shape.stride) >= int64_t{1} << std::min(bits - 6, 40u)) {
    return nullptr;  // whether it wraps around could not be seen
  }
  int64_t span = shape.stride * (kWarpSize / rows - 1);
  if (compare.isEquality() && (predicate == CmpInst::ICMP_EQ || shape.stride < 0)) {
    return predicate == CmpInst::ICMP_EQ && span != 0 ? builder_.getFalse() : nullptr;
  }
  bool is_signed = CmpInst::isSigned(predicate), upwards = shape.stride > 0;
  bool bounded_above = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  // Nothing is known of lanes that are elsewhere.
  bool exact = form_ == Together && (is_signed ? shape.exact_signed : shape.exact_unsigned);
  Value *result = wide(index).holds;
  auto also = [&](Value *what) { result = result == nullptr ? what : builder_.CreateAnd(result, what); };
  for (unsigned row = 0; row < rows; row++) {
    if (compare.isEquality()) {
      Value *distance = builder_.CreateSub(base(bound, row), base(index, row));
      also(builder_.CreateICmpUGT(distance, ConstantInt::get(index->getType(), static_cast<uint64_t>(span))));
      continue;
    }
    Value *first = base(index, row),
          *last = builder_.CreateAdd(first, ConstantInt::getSigned(index->getType(), span, /*ImplicitTrunc=*/true));
    also(builder_.CreateICmp(predicate, upwards == bounded_above ? last : first, base(bound, row)));
    if (!exact && span != 0) {
      CmpInst::Predicate in_order = upwards ? (is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
                                            : (is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE);
      also(builder_.CreateICmp(in_order, last, first));
    }
  }
  return result;
}

}  // namespace hel::cc

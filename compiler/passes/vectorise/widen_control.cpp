// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow: block masks, edges, loops that run while any lane is in them. "Select" and not "and" combines masks
// with conditions: a condition may be poison in lanes that are not there.
#include "compiler/passes/vectorise/widener.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hel::cc {

using namespace llvm;

Value *Widener::mask_bits(Value *mask) { return builder_.CreateBitCast(mask, builder_.getInt32Ty()); }

bool Widener::is_all_ones(const Value *mask) {
  const auto *constant = dyn_cast<Constant>(mask);
  return constant != nullptr && constant->isAllOnesValue();
}

Value *Widener::any(Value *mask) { return builder_.CreateICmpNE(mask_bits(mask), builder_.getInt32(0)); }

/// A join that post-dominates the divergent branch above it gets back all lanes of that branch: its mask is the
/// branch's, and need not be put together from the edges. What follows a loop gets back those that came to the loop.
void Widener::find_whole_masks() {
  PostDominatorTree post(kernel_);
  whole_mask_target_.assign(order_->blocks().size(), -1);
  whole_mask_source_.assign(order_->blocks().size(), -1);
  for (BasicBlock *join : order_->blocks()) {
    const DomTreeNode *node = dominators_.getNode(join);
    const DomTreeNode *above = node != nullptr ? node->getIDom() : nullptr;
    if (above == nullptr || loops_.isLoopHeader(join)) {
      continue;
    }
    const Loop *loop = loops_.getLoopFor(join);
    bool leaves_loop = loops_.getLoopFor(above->getBlock()) != loop;
    while (above != nullptr && loops_.getLoopFor(above->getBlock()) != loop) {
      above = above->getIDom();
    }
    if (above == nullptr || (!leaves_loop && join->hasNPredecessors(1))) {
      continue;
    }
    BasicBlock *top = above->getBlock();
    unsigned source = order_->index_of(top), target = order_->index_of(join);
    if (post.dominates(join, top) && whole_mask_target_[source] < 0) {
      whole_mask_target_[source] = static_cast<int>(target);
      whole_mask_source_[target] = static_cast<int>(source);
    }
  }
}

/// Where lanes that have parted come to a block: it is skipped if none waits for it, and if all of the warp do, they
/// go on together.
void Widener::emit_entry(unsigned index) {
  builder_.SetInsertPoint(entry_[index]);
  builder_.SetCurrentDebugLocation(DebugLoc());
  BasicBlock *apart = body_block_[Apart][index], *together = nullptr;
  int source = whole_mask_source_[index];
  if (source >= 0 && body_block_[Together][source] != nullptr) {
    together = body_block_[Together][index];
  }
  Value *waiting = builder_.CreateLoad(mask_cells_[index]->getAllocatedType(), mask_cells_[index]);
  if (unsigned next = 0; order_->may_be_empty(index) && order_->next_when_skipped(index, next)) {
    BasicBlock *some = together == nullptr ? apart : apart == nullptr ? together : nullptr;
    if (some == nullptr) {
      some = BasicBlock::Create(context_, entry_[index]->getName(), &body_, apart);
    }
    // Spelt out, so that loops do not carry a mask that is always empty.
    BasicBlock *skipped = BasicBlock::Create(context_, entry_[index]->getName() + ".skipped", &body_, apart);
    builder_.CreateCondBr(any(waiting), some, skipped);
    builder_.SetInsertPoint(skipped);
    builder_.CreateStore(Constant::getNullValue(waiting->getType()), mask_cells_[index]);
    builder_.CreateBr(entry_[next]);
    if (some == apart || some == together) {
      return;
    }
    builder_.SetInsertPoint(some);
  }
  if (apart == nullptr) {
    builder_.CreateBr(together);
    return;
  }
  builder_.CreateCondBr(builder_.CreateICmpEQ(mask_bits(waiting), builder_.getInt32(~0u)), together, apart);
}

void Widener::emit_block(unsigned index) {
  BasicBlock *source = order_->blocks()[index];
  index_ = index;
  local_.clear();
  builder_.SetInsertPoint(body_block_[form_][index]);
  Type *mask_type = mask_cells_[index]->getAllocatedType();
  mask_ = form_ == Together ? static_cast<Value *>(Constant::getAllOnesValue(mask_type))
                            : builder_.CreateLoad(mask_type, mask_cells_[index], "mask");
  if (form_ == Apart || whole_mask_source_[index] >= 0) {
    builder_.CreateStore(Constant::getNullValue(mask_type), mask_cells_[index]);
  }
  if (whole_mask_target_[index] >= 0) {
    builder_.CreateStore(mask_, mask_cells_[whole_mask_target_[index]]);
  }
  if (Loop *loop = loops_.getLoopFor(source); loop != nullptr && loop->getHeader() == source) {
    // What the last iteration left in these cells is not looked at again.
    for (AllocaInst *stale : loop_cells_[loop]) {
      builder_.CreateStore(PoisonValue::get(stale->getAllocatedType()), stale);
    }
  }
  for (PHINode &phi : source->phis()) {
    Values values;
    for (AllocaInst *from : phi_cells_[&phi]) {
      values.push_back(builder_.CreateLoad(from->getAllocatedType(), from, phi.getName()));
    }
    define(phi, values);
  }
  record_accesses_ = find_record_accesses(*source, shapes_);
  records_.clear();
  for (const RecordAccess &access : record_accesses_) {
    for (Instruction *member : access.members) {
      records_[member] = &access;
    }
  }
  for (Instruction &inst : *source) {
    if (!isa<PHINode>(inst) && !inst.isTerminator()) {
      builder_.SetCurrentDebugLocation(inst.getDebugLoc());
      if (!emit_record_member(inst)) {
        emit_instruction(inst);
      }
      if (!refusal_.empty()) {
        return;
      }
    }
  }
  builder_.SetCurrentDebugLocation(source->getTerminator()->getDebugLoc());
  emit_terminator(index);
}

/// No lane that is alive outside this edge needs what the phi cells hold.
bool Widener::stores_plainly(BasicBlock *from, BasicBlock *to) const {
  const Loop *inner = loops_.getLoopFor(to);
  if (inner != nullptr && inner->getHeader() == to) {
    return true;
  }
  if (loops_.getLoopFor(from) != inner) {
    return false;
  }
  unsigned first = ~0u;
  for (BasicBlock *predecessor : predecessors(to)) {
    first = std::min(first, order_->index_of(predecessor));
  }
  return first == order_->index_of(from);
}

void Widener::emit_edge(BasicBlock *from, BasicBlock *to, Value *edge_mask) {
  unsigned target = order_->index_of(to);
  if (whole_mask_source_[target] < 0) {
    Value *waiting = builder_.CreateLoad(edge_mask->getType(), mask_cells_[target]);
    builder_.CreateStore(builder_.CreateOr(waiting, edge_mask), mask_cells_[target]);
  }
  emit_phis(from, to, edge_mask);
}

void Widener::emit_phis(BasicBlock *from, BasicBlock *to, Value *edge_mask) {
  for (PHINode &phi : to->phis()) {
    Value *incoming = phi.getIncomingValueForBlock(from);
    if (shape_of(&phi).kind != Shape::Varying) {
      if (isa<UndefValue>(incoming)) {
        continue;  // lanes that come another way have a value, and it is the same for all that have one
      }
      for (auto [row, place] : enumerate(phi_cells_[&phi])) {
        builder_.CreateStore(base(incoming, row), place);
      }
      continue;
    }
    AllocaInst *place = phi_cells_[&phi][0];
    Value *value = vector(incoming);
    if (!is_all_ones(edge_mask) && !stores_plainly(from, to)) {
      Value *before = builder_.CreateLoad(place->getAllocatedType(), place);
      value = blend(edge_mask, value, before);
    }
    builder_.CreateStore(value, place);
  }
}

void Widener::emit_terminator(unsigned index) {
  BasicBlock *source = order_->blocks()[index];
  Instruction *terminator = source->getTerminator();
  if (isa<ReturnInst>(terminator)) {
    builder_.CreateRetVoid();
    return;
  }
  auto *branch = dyn_cast<BranchInst>(terminator);
  if (branch == nullptr) {
    return refuse(Twine("terminator ") + terminator->getOpcodeName());
  }
  if (form_ == Together) {
    return emit_together_terminator(index);
  }
  Loop *loop = loops_.getLoopFor(source);
  if (loop != nullptr && loop->getLoopLatch() == source) {
    return emit_latch(index);
  }
  if (branch->isUnconditional()) {
    emit_edge(source, branch->getSuccessor(0), mask_);
    builder_.CreateBr(entry_[order_->next_on_edge(index, order_->index_of(branch->getSuccessor(0)))]);
    return;
  }
  BasicBlock *yes = branch->getSuccessor(0), *no = branch->getSuccessor(1);
  if (!shapes_.is_divergent_branch(source)) {
    Value *condition = scalar(branch->getCondition());
    BasicBlock *edges[2] = {BasicBlock::Create(context_, source->getName() + ".yes", &body_),
                            BasicBlock::Create(context_, source->getName() + ".no", &body_)};
    builder_.CreateCondBr(condition, edges[0], edges[1]);
    for (int i = 0; i < 2; i++) {
      BasicBlock *successor = i == 0 ? yes : no;
      builder_.SetInsertPoint(edges[i]);
      const Way way(local_);
      emit_edge(source, successor, mask_);
      builder_.CreateBr(entry_[order_->next_on_edge(index, order_->index_of(successor))]);
    }
    return;
  }
  if (!leave_together(index)) {
    emit_parting(index, vector(branch->getCondition()));
  }
}

/// Lanes go both ways.
void Widener::emit_parting(unsigned index, Value *condition) {
  BasicBlock *source = order_->blocks()[index];
  auto *branch = cast<BranchInst>(source->getTerminator());
  Value *none = Constant::getNullValue(mask_->getType());
  Value *taken = builder_.CreateSelect(mask_, condition, none, "taken");
  Value *not_taken = builder_.CreateSelect(mask_, builder_.CreateNot(condition), none, "not.taken");
  emit_edge(source, branch->getSuccessor(0), taken);
  emit_edge(source, branch->getSuccessor(1), not_taken);
  builder_.CreateBr(entry_[form_ == Together ? order_->first_successor(index) : order_->next_after_divergent(index)]);
}

/// The block that lanes which have left the loop go on with when none is left in it; ~0 if none has left.
unsigned Widener::after_loop(unsigned latch) const {
  const Loop *loop = loops_.getLoopFor(order_->blocks()[latch]);
  unsigned outside = ~0u;
  bool own_exit = false;
  for (unsigned waiting : order_->pending(latch)) {
    BasicBlock *block = order_->blocks()[waiting];
    if (!loop->contains(block)) {
      outside = std::min(outside, waiting);
      own_exit |= any_of(predecessors(block), [&](BasicBlock *from) { return loop->contains(from); });
    }
  }
  return own_exit ? outside : ~0u;
}

void Widener::emit_latch(unsigned index) {
  BasicBlock *source = order_->blocks()[index], *header = loops_.getLoopFor(source)->getHeader();
  emit_edge(source, header, mask_);
  unsigned h = order_->index_of(header), outside = after_loop(index);
  if (outside == ~0u) {
    builder_.CreateBr(body_block_[Apart][h]);
    return;
  }
  Value *left = builder_.CreateLoad(mask_cells_[h]->getAllocatedType(), mask_cells_[h]);
  builder_.CreateCondBr(any(left), body_block_[Apart][h], entry_[outside]);
}

/// True when nobody waits for a lane that is not in this block: it has left the kernel, or will without meeting others.
bool Widener::only_exits_pending(unsigned index) const {
  return all_of(order_->pending(index), [this](unsigned waiting) { return meetings_->ends_alone(waiting); });
}

}  // namespace hel::cc

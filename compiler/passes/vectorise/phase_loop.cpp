// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop over the warps of a phase, and what they run next. Mostly that is the same for all of them, and nobody has
// to note it for each.
#include "abi/block.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/needless_barriers.h"
#include "compiler/passes/vectorise/phase_writer.h"

namespace hel::cc {

using namespace llvm;

/// No warp has run yet: in the place of the phase that it would run next.
static constexpr uint32_t kNone = PhaseState::kSeveral - 1;
/// void hl.note.next(ptr state, i32 from, i32 to, i32 phase)
static FunctionCallee noting_function(Module &module) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  Type *i32 = builder.getInt32Ty();
  auto *type = FunctionType::get(builder.getVoidTy(), {builder.getPtrTy(), i32, i32, i32}, false);
  constexpr char kName[] = "hl.note.next";
  if (Function *known = module.getFunction(kName); known != nullptr) {
    return known;
  }
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, kName, module);
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::NoInline, Attribute::Cold}) {
    made->addFnAttr(kind);
  }
  Value *from = made->getArg(1), *to = made->getArg(2), *phase = made->getArg(3);
  BasicBlock *entry = BasicBlock::Create(context, "entry", made), *loop = BasicBlock::Create(context, "warp", made),
             *done = BasicBlock::Create(context, "done", made);
  builder.SetInsertPoint(entry);
  Value *known = builder.CreateICmpEQ(phase, builder.getInt32(PhaseState::kSeveral));
  builder.CreateCondBr(builder.CreateOr(known, builder.CreateICmpUGE(from, to)), done, loop);
  builder.SetInsertPoint(loop);
  PHINode *warp = builder.CreatePHI(i32, 2, "warp");
  builder.CreateStore(phase, next_phase_of(builder, made->getArg(0), warp));
  Value *next = builder.CreateAdd(warp, builder.getInt32(1));
  warp->addIncoming(from, entry);
  warp->addIncoming(next, loop);
  builder.CreateCondBr(builder.CreateICmpULT(next, to), loop, done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return made;
}

Value *next_phase_of(IRBuilder<> &builder, Value *state, Value *warp) {
  Value *all = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), state, PhaseState::kNext);
  return builder.CreateInBoundsGEP(builder.getInt32Ty(), all, warp);
}

void note_next_phase(IRBuilder<> &builder, Value *state, Value *from, Value *to, Value *phase) {
  builder.CreateCall(noting_function(*builder.GetInsertBlock()->getModule()), {state, from, to, phase});
}

PhaseWriter::PhaseWriter(Function &body, const PhaseValues &values, uint64_t frame_bytes, uint32_t first,
                         VectorRegisters machine)
    : body_(body),
      values_(values),
      frame_bytes_(frame_bytes),
      first_(first),
      machine_(machine),
      builder_(body.getContext()) {
  for (size_t end = 0; end < values_.ends().size(); end++) {
    if (values_.ends()[end].kind != PhaseEnd::Parting) {
      barriers_[values_.ends()[end].call] = end;
    }
  }
}

SetVector<BasicBlock *> PhaseWriter::blocks_of(Function &body, const PhaseValues &values, int end, bool jointly) {
  SmallPtrSet<const Instruction *, 8> barriers;
  for (const PhaseEnd &known : values.ends()) {
    if (known.kind == PhaseEnd::Barrier || (known.kind == PhaseEnd::Round && !jointly)) {
      barriers.insert(known.call);
    }
  }
  SetVector<BasicBlock *> blocks;
  blocks.insert(end == kEntry ? &body.getEntryBlock() : values.ends()[end].after);
  for (size_t i = 0; i < blocks.size(); i++) {
    BasicBlock *block = blocks[i];
    if (!barriers.contains(block->getTerminator()->getPrevNode())) {
      blocks.insert(succ_begin(block), succ_end(block));
    }
  }
  return blocks;
}

/// True if warps but the first one only find that there is nothing for them to do.
bool PhaseWriter::is_for_first_warp() const {
  auto next_after = [&](BasicBlock *block) -> std::optional<uint32_t> {
    auto known = barriers_.find(block->getTerminator()->getPrevNode());
    if (known != barriers_.end()) {
      return first_ + static_cast<uint32_t>(known->second) + 1;
    }
    return isa<ReturnInst>(block->getTerminator()) ? std::optional(PhaseState::kEnded) : std::nullopt;
  };
  std::set<uint32_t> next;
  for (BasicBlock *block : blocks_) {
    if (auto leads_to = next_after(block)) {
      next.insert(*leads_to);
    }
  }
  if (next.size() != 1) {
    return false;
  }
  bool parted = false;
  SmallPtrSet<BasicBlock *, 8> seen;
  for (BasicBlock *block = blocks_.front(); seen.insert(block).second;) {
    const Instruction *last = block->getTerminator()->getPrevNode();
    auto stop = barriers_.find(last);
    for (const Instruction &inst : *block) {
      bool stops = &inst == last && stop != barriers_.end() && inst.getType()->isVoidTy();
      if (inst.mayHaveSideEffects() && !stops && !is_passed(inst, nullptr)) {
        return false;
      }
    }
    if (stop != barriers_.end()) {
      return parted && none_of(values_.live_across(stop->second), [&](Instruction *value) {
               return is_defined_here(value) || (end_ != kEntry && value == values_.ends()[end_].call);
             });
    }
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch == nullptr) {
      return parted && isa<ReturnInst>(block->getTerminator());
    }
    unsigned way = 0;
    if (branch->isConditional()) {
      bool first_goes_0 = is_way_of_first_warp(*branch, 0, body_);
      if (!first_goes_0 && !is_way_of_first_warp(*branch, 1, body_)) {
        return false;
      }
      way = first_goes_0 ? 1 : 0;
      parted = true;
    }
    block = branch->getSuccessor(way);
  }
  return false;
}

/// The next phase of the warps [from, mid) and of [mid, to): kSeveral if it is not the same, and then it is noted.
Value *PhaseWriter::common_phase(Value *some, Value *others, const Range &warps) {
  Value *agree =
      builder_.CreateOr(builder_.CreateICmpEQ(some, others), builder_.CreateICmpEQ(some, builder_.getInt32(kNone)));
  BasicBlock *before = builder_.GetInsertBlock(), *note = BasicBlock::Create(phase_->getContext(), "several", phase_),
             *on = BasicBlock::Create(phase_->getContext(), "agree", phase_);
  builder_.CreateCondBr(agree, on, note);
  builder_.SetInsertPoint(note);
  note_next_phase(builder_, state_, warps.from, warps.mid, some);
  note_next_phase(builder_, state_, warps.mid, warps.to, others);
  builder_.CreateBr(on);
  builder_.SetInsertPoint(on);
  PHINode *common = builder_.CreatePHI(builder_.getInt32Ty(), 2, "common");
  common->addIncoming(others, before);
  common->addIncoming(builder_.getInt32(PhaseState::kSeveral), note);
  return common;
}

/// The loop without its body.
///
///   entry:  run what each of `together` can, as many warps as it takes at a time
///   each.warp: … next.warp:  the rest
void PhaseWriter::create(ArrayRef<Together> together) {
  LLVMContext &context = body_.getContext();
  Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty();
  auto *type = FunctionType::get(i32, {ptr, ptr, i32, i32, ptr}, false);
  auto number = static_cast<uint32_t>(warps_.size());
  phase_ = Function::Create(type, GlobalValue::InternalLinkage,
                            body_.getName() + ".phase" + Twine(end_ + 1) + (number > 1 ? ".joint" + Twine(number) : ""),
                            body_.getParent());
  phase_->addFnAttr(Attribute::NoUnwind);
  phase_->addFnAttr(Attribute::NoInline);  // each has the registers for itself
  if (body_.hasFnAttribute(Attribute::OptimizeForSize)) {
    phase_->addFnAttr(Attribute::OptimizeForSize);
  }
  const char *names[] = {"launch", "block", "begin", "end", "state"};
  for (Argument &argument : phase_->args()) {
    argument.setName(names[argument.getArgNo()]);
  }
  state_ = phase_->getArg(4);
  Value *begin = phase_->getArg(2), *end = phase_->getArg(3);
  entry_ = BasicBlock::Create(context, "entry", phase_);
  first_frame_ = nullptr;
  BasicBlock *before = entry_;
  Value *first = begin, *ran_next = builder_.getInt32(kNone);
  each_warp_ = BasicBlock::Create(context, "each.warp", phase_);
  latch_ = BasicBlock::Create(context, "next.warp", phase_);
  BasicBlock *done = BasicBlock::Create(context, "done", phase_);
  builder_.SetInsertPoint(done);
  result_ = builder_.CreatePHI(i32, 2, "result");
  builder_.CreateRet(result_);

  builder_.SetInsertPoint(entry_);
  for (unsigned d = 0; d < 3; d++) {
    block_index_[d] =
        builder_.CreateLoad(i32, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), phase_->getArg(1),
                                                                     offsetof(abi::BlockState, ctaid) + 4 * d));
  }
  for (auto [function, warps] : together) {
    BasicBlock *jointly = BasicBlock::Create(context, "jointly", phase_, each_warp_),
               *rest = BasicBlock::Create(context, "rest", phase_, each_warp_);
    Value *many = builder_.CreateAnd(builder_.CreateSub(end, first), builder_.getInt32(~(warps - 1)));
    Value *last = builder_.CreateAdd(first, many, "first");
    builder_.CreateCondBr(builder_.CreateICmpNE(many, builder_.getInt32(0)), jointly, rest);
    builder_.SetInsertPoint(jointly);
    Value *next = builder_.CreateCall(function, {phase_->getArg(0), phase_->getArg(1), first, last, state_});
    next = common_phase(ran_next, next, {begin, first, last});
    BasicBlock *ran = builder_.GetInsertBlock();
    builder_.CreateBr(rest);
    builder_.SetInsertPoint(rest);
    PHINode *next_here = builder_.CreatePHI(i32, 2, "ran.next");
    next_here->addIncoming(ran_next, before);
    next_here->addIncoming(next, ran);
    before = rest;
    first = last;
    ran_next = next_here;
  }
  if (together.empty()) {
    builder_.CreateBr(each_warp_);
  } else {
    builder_.CreateCondBr(builder_.CreateICmpULT(first, end), each_warp_, done);
    result_->addIncoming(ran_next, before);
  }
  builder_.SetInsertPoint(each_warp_);
  warp_ = builder_.CreatePHI(i32, 2, "warp");
  common_ = builder_.CreatePHI(i32, 2, "common");
  warp_->addIncoming(first, before);
  common_->addIncoming(ran_next, before);
  builder_.SetInsertPoint(latch_);
  next_phase_ = builder_.CreatePHI(i32, 2, "next.phase");
}

/// The end of the loop over the warps. Where all of them go on with the same phase, nobody has to compare.
void PhaseWriter::close_loop() {
  for (Value *next : next_phase_->incoming_values()) {
    next_.insert(static_cast<uint32_t>(cast<ConstantInt>(next)->getZExtValue()));
  }
  Value *end = phase_->getArg(3);
  builder_.SetInsertPoint(latch_);
  Value *next = builder_.CreateAdd(warp_, builder_.getInt32(static_cast<uint32_t>(warps_.size())));
  if (busy_ != nullptr) {
    next = builder_.CreateSelect(busy_, next, end, "next");
  }
  Value *result = next_.size() == 1 ? builder_.getInt32(*next_.begin())
                                    : common_phase(common_, next_phase_, {phase_->getArg(2), warp_, next});
  Value *more = first_warp_only_ ? builder_.getFalse() : builder_.CreateICmpULT(next, end);
  BasicBlock *latch = builder_.GetInsertBlock(), *done = result_->getParent();
  builder_.CreateCondBr(more, each_warp_, done);
  warp_->addIncoming(next, latch);
  common_->addIncoming(result, latch);
  result_->addIncoming(result, latch);
  if (next_.size() == 1) {
    result_->replaceAllUsesWith(result);
    result_->eraseFromParent();
  }
}

}  // namespace hel::cc

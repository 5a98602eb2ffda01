// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/phase_rounds.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/block_function.h"

namespace hel::cc {

using namespace llvm;

PhaseRounds::PhaseRounds(Function &block, ArrayRef<Phase> phases)
    : block_(block),
      phases_(phases),
      votes_(any_of(phases, [](const Phase &phase) { return phase.votes; })),
      builder_(block.getContext()) {}

BasicBlock *PhaseRounds::make(const Twine &name) { return BasicBlock::Create(block_.getContext(), name, made_); }

Value *PhaseRounds::field(uint64_t offset) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), made_->getArg(4), offset);
}

Value *PhaseRounds::run(const Phase &phase, Value *begin, Value *end) {
  return builder_.CreateCall(phase.function, {made_->getArg(0), made_->getArg(1), begin, end, made_->getArg(4)});
}

/// Runs the phase with this number, if it is `wanted`, for the warps [begin, end), and notes what they run next. True
/// if there are any that have not ended.
Value *PhaseRounds::choose(Value *phase, Value *begin, Value *end, Wanted wanted) {
  BasicBlock *ran = make("ran"), *pick = builder_.GetInsertBlock();
  SwitchInst *choice = builder_.CreateSwitch(phase, ran, static_cast<unsigned>(phases_.size()));
  IRBuilder<> at_end(ran);
  PHINode *live = at_end.CreatePHI(builder_.getInt1Ty(), 2, "live");
  live->addIncoming(builder_.getFalse(), pick);
  for (uint32_t i = 0; i < phases_.size(); i++) {
    if (!wanted(phases_[i])) {
      continue;
    }
    BasicBlock *call = make("phase");
    call->moveBefore(ran);
    builder_.SetInsertPoint(call);
    Value *next = run(phases_[i], begin, end);
    note_next_phase(builder_, made_->getArg(4), begin, end, next);
    live->addIncoming(builder_.CreateICmpNE(next, builder_.getInt32(PhaseState::kEnded)), call);
    builder_.CreateBr(ran);
    choice->addCase(builder_.getInt32(i), call);
  }
  builder_.SetInsertPoint(ran);
  return live;
}

/// Lets each warp whose next phase is `wanted` run it, neighbours that run the same one by one call. True if some of
/// these warps have not ended.
Value *PhaseRounds::write_turn(Wanted wanted) {
  BasicBlock *before = builder_.GetInsertBlock(), *run = make("run"), *widen = make("neighbour"),
             *compare = make("same"), *pick = make("pick"), *over = make("turned");
  builder_.CreateBr(run);
  builder_.SetInsertPoint(run);
  Type *i32 = builder_.getInt32Ty();
  Value *begin = made_->getArg(2), *end = made_->getArg(3), *state = made_->getArg(4);
  PHINode *warp = builder_.CreatePHI(i32, 2, "warp"), *live = builder_.CreatePHI(builder_.getInt1Ty(), 2, "live");
  Value *phase = builder_.CreateLoad(i32, next_phase_of(builder_, state, warp), "phase");
  builder_.CreateBr(widen);
  builder_.SetInsertPoint(widen);
  PHINode *last = builder_.CreatePHI(i32, 2, "last");
  Value *next = builder_.CreateAdd(last, builder_.getInt32(1), "next");
  builder_.CreateCondBr(builder_.CreateICmpULT(next, end), compare, pick);
  builder_.SetInsertPoint(compare);
  Value *its_phase = builder_.CreateLoad(i32, next_phase_of(builder_, state, next));
  builder_.CreateCondBr(builder_.CreateICmpEQ(its_phase, phase), widen, pick);
  last->addIncoming(warp, run);
  last->addIncoming(next, compare);

  builder_.SetInsertPoint(pick);
  Value *some_live = builder_.CreateOr(live, choose(phase, warp, next, wanted));
  warp->addIncoming(begin, before);
  warp->addIncoming(next, builder_.GetInsertBlock());
  live->addIncoming(builder_.getFalse(), before);
  live->addIncoming(some_live, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpULT(next, end), run, over);
  builder_.SetInsertPoint(over);
  return some_live;
}

/// What was voted at the barrier that all have come to is its result.
void PhaseRounds::open_barrier() {
  if (votes_) {
    Type *i64 = builder_.getInt64Ty();
    builder_.CreateStore(builder_.CreateLoad(i64, field(PhaseState::kTruths)), field(PhaseState::kTruthsBefore));
    builder_.CreateStore(builder_.getInt64(0), field(PhaseState::kTruths));
  }
}

/// All warps at one place: each phase is called in a block of its own, and leads to those of the phases that may
/// follow.
void PhaseRounds::write_steps(BasicBlock *entry) {
  SmallVector<BasicBlock *, 8> steps, opens;
  for (uint32_t i = 0; i < phases_.size(); i++) {
    steps.push_back(make("step." + Twine(i)));
    opens.push_back(steps.back());
    if (!phases_[i].goes_on) {
      opens.back() = make("open." + Twine(i));
      builder_.SetInsertPoint(opens.back());
      open_barrier();
      builder_.CreateBr(steps.back());
    }
  }
  builder_.SetInsertPoint(entry);
  SwitchInst *enter = builder_.CreateSwitch(made_->getArg(5), round_);
  for (uint32_t i = 0; i < phases_.size(); i++) {
    if (phases_[i].is_first) {
      enter->addCase(builder_.getInt32(i), opens[i]);
    }
    builder_.SetInsertPoint(steps[i]);
    Value *next = run(phases_[i], made_->getArg(2), made_->getArg(3));
    auto place = [&](uint32_t number) { return number == PhaseState::kEnded ? done_ : opens[number]; };
    if (phases_[i].next.size() == 1) {
      builder_.CreateBr(place(*phases_[i].next.begin()));
      continue;
    }
    some_live_->addIncoming(builder_.getTrue(), steps[i]);
    SwitchInst *where = builder_.CreateSwitch(next, again_);
    for (uint32_t number : phases_[i].next) {
      where->addCase(builder_.getInt32(number), place(number));
    }
  }
}

Function *PhaseRounds::write(const Twine &name) {
  Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty(), *i1 = builder_.getInt1Ty();
  auto *type = FunctionType::get(builder_.getVoidTy(), {ptr, ptr, i32, i32, ptr, i32}, false);
  made_ = Function::Create(type, GlobalValue::InternalLinkage, name, block_.getParent());
  made_->addFnAttr(Attribute::NoInline);
  describe_states(*made_);
  const char *names[] = {"launch", "block", "begin", "end", "state", "first"};
  for (Argument &argument : made_->args()) {
    argument.setName(names[argument.getArgNo()]);
  }
  BasicBlock *entry = make("entry"), *enter = make("enter");
  round_ = make("round");
  again_ = make("again");
  done_ = make("end");
  builder_.SetInsertPoint(again_);
  some_live_ = builder_.CreatePHI(i1, 3, "some.live");
  builder_.SetInsertPoint(entry);
  if (votes_) {
    builder_.CreateStore(builder_.getInt64(0), field(PhaseState::kTruths));
  }
  builder_.CreateCondBr(builder_.CreateICmpULT(made_->getArg(2), made_->getArg(3)), enter, done_);
  write_steps(enter);

  builder_.SetInsertPoint(round_);
  open_barrier();
  Value *live = write_turn([](const Phase &) { return true; });
  some_live_->addIncoming(live, builder_.GetInsertBlock());
  builder_.CreateBr(again_);

  builder_.SetInsertPoint(again_);
  if (any_of(phases_, [](const Phase &phase) { return phase.goes_on; })) {
    Value *left = write_turn([](const Phase &phase) { return phase.goes_on; });
    BasicBlock *over = make("round.over");
    some_live_->addIncoming(some_live_, builder_.GetInsertBlock());
    builder_.CreateCondBr(left, again_, over);
    builder_.SetInsertPoint(over);
  }
  builder_.CreateCondBr(some_live_, round_, done_);
  builder_.SetInsertPoint(done_);
  builder_.CreateRetVoid();
  return made_;
}

}  // namespace hel::cc

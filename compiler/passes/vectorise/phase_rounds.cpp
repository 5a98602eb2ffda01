// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/phase_rounds.h"

#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/phase_writer.h"

#include <numeric>

namespace hel::cc {

using namespace llvm;

PhaseRounds::PhaseRounds(Function &block, ArrayRef<Function *> phases, ArrayRef<uint32_t> going_on)
    : block_(block), phases_(phases), going_on_(going_on), builder_(block.getContext()) {}

BasicBlock *PhaseRounds::make(const char *name) { return BasicBlock::Create(block_.getContext(), name, made_); }

Value *PhaseRounds::field(uint64_t offset, Value *warp) {
  Value *base = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), made_->getArg(4), offset);
  return warp == nullptr ? base : builder_.CreateInBoundsGEP(builder_.getInt32Ty(), base, warp);
}

/// Calls the phase with this number, if `phases` has it, for the warps [begin, end). What it returns.
Value *PhaseRounds::choose(Value *phase, Value *begin, Value *end, ArrayRef<uint32_t> phases) {
  BasicBlock *ran = make("ran"), *pick = builder_.GetInsertBlock();
  auto *type = cast<StructType>(PhaseWriter::result_type(block_.getContext()));
  SwitchInst *choice = builder_.CreateSwitch(phase, ran, static_cast<unsigned>(phases.size()));
  IRBuilder<> at_end(ran);
  PHINode *result = at_end.CreatePHI(type, 2, "result");
  result->addIncoming(Constant::getNullValue(type), pick);
  for (uint32_t i : phases) {
    BasicBlock *call = make("phase");
    call->moveBefore(ran);
    builder_.SetInsertPoint(call);
    Value *returned =
        builder_.CreateCall(phases_[i], {made_->getArg(0), made_->getArg(1), begin, end, made_->getArg(4)});
    result->addIncoming(returned, call);
    builder_.CreateBr(ran);
    choice->addCase(builder_.getInt32(i), call);
  }
  builder_.SetInsertPoint(ran);
  return result;
}

/// Lets each warp whose next phase is among `phases` run it, neighbours that run the same one by one call. How many of
/// these warps have not ended.
Value *PhaseRounds::write_turn(ArrayRef<uint32_t> phases) {
  BasicBlock *before = builder_.GetInsertBlock(), *run = make("run"), *widen = make("neighbour"),
             *compare = make("same"), *pick = make("pick"), *over = make("turned");
  builder_.CreateBr(run);
  builder_.SetInsertPoint(run);
  Type *i32 = builder_.getInt32Ty();
  Value *begin = made_->getArg(2), *end = made_->getArg(3);
  PHINode *warp = builder_.CreatePHI(i32, 2, "warp"), *live = builder_.CreatePHI(i32, 2, "live");
  Value *phase = builder_.CreateLoad(i32, field(PhaseState::kNext, warp), "phase");
  builder_.CreateBr(widen);
  builder_.SetInsertPoint(widen);
  PHINode *last = builder_.CreatePHI(i32, 2, "last");
  Value *next = builder_.CreateAdd(last, builder_.getInt32(1), "next");
  builder_.CreateCondBr(builder_.CreateICmpULT(next, end), compare, pick);
  builder_.SetInsertPoint(compare);
  Value *its_phase = builder_.CreateLoad(i32, field(PhaseState::kNext, next));
  builder_.CreateCondBr(builder_.CreateICmpEQ(its_phase, phase), widen, pick);
  last->addIncoming(warp, run);
  last->addIncoming(next, compare);

  builder_.SetInsertPoint(pick);
  Value *stay = builder_.CreateExtractValue(choose(phase, warp, next, phases), PhaseWriter::kLive);
  Value *all_live = builder_.CreateAdd(live, stay);
  warp->addIncoming(begin, before);
  warp->addIncoming(next, builder_.GetInsertBlock());
  live->addIncoming(builder_.getInt32(0), before);
  live->addIncoming(all_live, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpULT(next, end), run, over);
  builder_.SetInsertPoint(over);
  return all_live;
}

Function *PhaseRounds::write(const Twine &name) {
  LLVMContext &context = block_.getContext();
  Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty();
  auto *type = FunctionType::get(builder_.getVoidTy(), {ptr, ptr, i32, i32, ptr, i32}, false);
  made_ = Function::Create(type, GlobalValue::InternalLinkage, name, block_.getParent());
  made_->addFnAttr(Attribute::NoInline);
  describe_states(*made_);
  const char *names[] = {"launch", "block", "begin", "end", "state", "first"};
  for (Argument &argument : made_->args()) {
    argument.setName(names[argument.getArgNo()]);
  }
  SmallVector<uint32_t, 8> all(phases_.size());
  std::iota(all.begin(), all.end(), 0u);
  Value *several = builder_.getInt32(PhaseState::kSeveral), *zero = builder_.getInt32(0);
  BasicBlock *entry = make("entry"), *round = make("round"), *step = make("step"), *scan = make("scan"),
             *again = make("again"), *over = make("round.over"), *done = BasicBlock::Create(context, "end", made_);

  builder_.SetInsertPoint(entry);
  builder_.CreateStore(builder_.getInt64(0), field(PhaseState::kTruths));
  builder_.CreateCondBr(builder_.CreateICmpULT(made_->getArg(2), made_->getArg(3)), round, done);

  // The barrier that all have come to opens: what was voted there is its result.
  builder_.SetInsertPoint(round);
  PHINode *common = builder_.CreatePHI(i32, 3, "common");
  common->addIncoming(made_->getArg(5), entry);
  builder_.CreateStore(builder_.CreateLoad(i64, field(PhaseState::kTruths)), field(PhaseState::kTruthsBefore));
  builder_.CreateStore(builder_.getInt64(0), field(PhaseState::kTruths));
  builder_.CreateCondBr(builder_.CreateICmpEQ(common, several), scan, step);

  builder_.SetInsertPoint(step);
  PHINode *phase = builder_.CreatePHI(i32, 2, "phase");
  phase->addIncoming(common, round);
  Value *result = choose(phase, made_->getArg(2), made_->getArg(3), all);
  Value *live = builder_.CreateExtractValue(result, PhaseWriter::kLive),
        *next = builder_.CreateExtractValue(result, PhaseWriter::kNextPhase);
  BasicBlock *stepped = make("stepped");
  builder_.CreateCondBr(builder_.CreateICmpEQ(live, zero), done, stepped);
  builder_.SetInsertPoint(stepped);
  SwitchInst *where = builder_.CreateSwitch(next, round);
  common->addIncoming(next, stepped);
  for (uint32_t number : going_on_) {
    where->addCase(builder_.getInt32(number), step);
    phase->addIncoming(next, stepped);
  }
  where->addCase(cast<ConstantInt>(several), again);

  builder_.SetInsertPoint(scan);
  Value *live_after_scan = write_turn(all);
  BasicBlock *scanned = builder_.GetInsertBlock();
  builder_.CreateBr(again);

  builder_.SetInsertPoint(again);
  PHINode *live_now = builder_.CreatePHI(i32, 3, "live");
  live_now->addIncoming(live, stepped);
  live_now->addIncoming(live_after_scan, scanned);
  if (going_on_.empty()) {
    builder_.CreateBr(over);
  } else {
    Value *left = write_turn(going_on_);
    live_now->addIncoming(live_now, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpNE(left, zero), again, over);
  }
  builder_.SetInsertPoint(over);
  common->addIncoming(several, over);
  builder_.CreateCondBr(builder_.CreateICmpNE(live_now, zero), round, done);
  builder_.SetInsertPoint(done);
  builder_.CreateRetVoid();
  return made_;
}

}  // namespace hel::cc

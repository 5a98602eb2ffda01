// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/phase_writer.h"

#include "abi/block.h"
#include "abi/engine.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace hel::cc {

using namespace llvm;

PhaseWriter::PhaseWriter(Function &body, const PhaseValues &values, uint64_t frame_bytes, uint32_t first)
    : body_(body), values_(values), frame_bytes_(frame_bytes), first_(first), builder_(body.getContext()) {
  for (size_t end = 0; end < values_.ends().size(); end++) {
    barriers_[values_.ends()[end].barrier] = end;
  }
}

Function *PhaseWriter::write(int end) {
  create(end);
  map_local_arrays();
  load_live_values();
  clone_blocks();
  connect_copies();
  for (BasicBlock *source : blocks_) {
    close_block(*source);
  }
  keep_live_values();
  return phase_;
}

/// The loop over the warps, without its body.
void PhaseWriter::create(int end) {
  end_ = end;
  map_.clear();
  blocks_.clear();
  loaded_.clear();
  leaves_.clear();
  LLVMContext &context = body_.getContext();
  Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty();
  auto *type = FunctionType::get(i32, {ptr, ptr, i32, i32, ptr}, false);
  phase_ = Function::Create(type, GlobalValue::InternalLinkage, body_.getName() + ".phase" + Twine(end + 1),
                            body_.getParent());
  phase_->addFnAttr(Attribute::NoUnwind);
  phase_->addFnAttr(Attribute::NoInline);  // each has the registers for itself
  const char *names[] = {"launch", "block", "begin", "end", "state"};
  for (Argument &argument : phase_->args()) {
    argument.setName(names[argument.getArgNo()]);
  }
  state_ = phase_->getArg(4);
  entry_ = BasicBlock::Create(context, "entry", phase_);
  each_warp_ = BasicBlock::Create(context, "each.warp", phase_);
  latch_ = BasicBlock::Create(context, "next.warp", phase_);
  BasicBlock *done = BasicBlock::Create(context, "done", phase_);
  builder_.SetInsertPoint(entry_);
  builder_.CreateBr(each_warp_);

  builder_.SetInsertPoint(each_warp_);
  PHINode *warp = builder_.CreatePHI(i32, 2, "warp"), *live = builder_.CreatePHI(i32, 2, "live");
  warp_ = warp;
  frame_ = builder_.CreateGEP(builder_.getInt8Ty(), state_,
                              builder_.CreateAdd(builder_.CreateMul(builder_.CreateZExt(warp, builder_.getInt64Ty()),
                                                                    builder_.getInt64(frame_bytes_)),
                                                 builder_.getInt64(PhaseState::kFrames)),
                              "frame");

  builder_.SetInsertPoint(latch_);
  stays_ = builder_.CreatePHI(i32, 2, "stays");
  Value *next_live = builder_.CreateAdd(live, stays_), *next = builder_.CreateAdd(warp, builder_.getInt32(1));
  builder_.CreateCondBr(builder_.CreateICmpULT(next, phase_->getArg(3)), each_warp_, done);
  warp->addIncoming(phase_->getArg(2), entry_);
  warp->addIncoming(next, latch_);
  live->addIncoming(builder_.getInt32(0), entry_);
  live->addIncoming(next_live, latch_);
  builder_.SetInsertPoint(done);
  builder_.CreateRet(next_live);

  builder_.SetInsertPoint(each_warp_);
  builder_.CreateStore(warp_, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), phase_->getArg(1),
                                                                  offsetof(abi::BlockState, warp)));
  map_[body_.getArg(0)] = phase_->getArg(0);
  map_[body_.getArg(1)] = phase_->getArg(1);
  map_[body_.getArg(2)] = warp_;
  map_[body_.getArg(3)] = body_.getArg(3)->use_empty()
                              ? static_cast<Value *>(PoisonValue::get(i32))
                              : builder_.CreateLoad(i32, field(PhaseState::kLanes, warp_), "lanes");
}

Value *PhaseWriter::field(uint64_t offset, Value *warp) {
  Value *base = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), state_, offset);
  return warp == nullptr ? base : builder_.CreateInBoundsGEP(builder_.getInt32Ty(), base, warp);
}

Value *PhaseWriter::place(const Instruction *value) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame_, values_.place_of(value));
}

/// Arrays of the kernel live in the frame, the widener's scratch space on the stack.
void PhaseWriter::map_local_arrays() {
  for (Instruction &inst : instructions(body_)) {
    if (!isa<AllocaInst>(inst)) {
      continue;
    }
    if (inst.hasMetadata(kScratch)) {
      Instruction *copy = inst.clone();
      copy->insertBefore(entry_->getTerminator()->getIterator());
      map_[&inst] = copy;
    } else {
      map_[&inst] = place(&inst);
    }
  }
}

/// Masks are kept as their bits.
static Type *type_in_frame(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector != nullptr && vector->getElementType()->isIntegerTy(1)
             ? Type::getIntNTy(type->getContext(), vector->getNumElements())
             : type;
}

void PhaseWriter::load_live_values() {
  if (end_ == kEntry) {
    return;
  }
  for (Instruction *value : values_.live_across(end_)) {
    if (value == values_.ends()[end_].barrier) {
      loaded_[value] = result_of_vote(*values_.ends()[end_].barrier);
      continue;
    }
    Type *type = type_in_frame(value->getType());
    Value *loaded = builder_.CreateAlignedLoad(type, place(value), Align(8), value->getName());
    loaded_[value] = type == value->getType() ? loaded : builder_.CreateBitCast(loaded, value->getType());
  }
}

/// What __hl_barrier_red_lanes(op, id, threads, lanes, predicates) returns when the barrier has opened.
Value *PhaseWriter::result_of_vote(CallInst &barrier) {
  Type *i32 = builder_.getInt32Ty();
  Value *truths = builder_.CreateLoad(i32, field(PhaseState::kTruthsBefore), "truths"),
        *voters = builder_.CreateLoad(i32, field(PhaseState::kVotersBefore), "voters");
  switch (cast<ConstantInt>(barrier.getArgOperand(0))->getZExtValue()) {
    case HlBarrierRedPopc:
      return truths;
    case HlBarrierRedAnd:
      return builder_.CreateZExt(builder_.CreateICmpEQ(truths, voters), i32);
    default:
      return builder_.CreateZExt(builder_.CreateICmpNE(truths, builder_.getInt32(0)), i32);
  }
}

void PhaseWriter::clone_blocks() {
  blocks_.insert(end_ == kEntry ? &body_.getEntryBlock() : values_.ends()[end_].after);
  for (size_t i = 0; i < blocks_.size(); i++) {
    BasicBlock *block = blocks_[i];
    if (!barriers_.contains(block->getTerminator()->getPrevNode())) {
      blocks_.insert(succ_begin(block), succ_end(block));
    }
  }
  for (BasicBlock *block : blocks_) {
    BasicBlock *copy = BasicBlock::Create(body_.getContext(), block->getName(), phase_, latch_);
    map_[block] = copy;
    for (Instruction &inst : *block) {
      if (isa<AllocaInst>(inst)) {
        continue;
      }
      Instruction *made = inst.clone();
      made->insertInto(copy, copy->end());
      made->setName(inst.getName());
      map_[&inst] = made;
    }
  }
  builder_.CreateBr(cast<BasicBlock>(map_[blocks_[0]]));
}

/// True if the phase computes `value` itself (the result of a barrier is known only after it).
bool PhaseWriter::is_defined_here(const Instruction *value) const {
  return blocks_.contains(value->getParent()) && !barriers_.contains(value);
}

/// Lets the copies refer to each other, and to what is loaded where nothing of this phase defines it.
void PhaseWriter::connect_copies() {
  for (auto [value, loaded] : loaded_) {
    if (!is_defined_here(value)) {
      map_[value] = loaded;
    }
  }
  for (BasicBlock *source : blocks_) {
    for (Instruction &inst : *cast<BasicBlock>(map_[source])) {
      if (auto *phi = dyn_cast<PHINode>(&inst)) {
        phi->removeIncomingValueIf([&](unsigned i) { return !blocks_.contains(phi->getIncomingBlock(i)); }, false);
      }
      RemapInstruction(&inst, map_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
  }
}

/// The way out of a block that ends the warp or stands at a barrier; all others keep their terminators.
void PhaseWriter::close_block(BasicBlock &source) {
  auto *copy = cast<BasicBlock>(map_[&source]);
  auto leave = [&](uint32_t next, uint32_t stays) {
    copy->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(copy);
    builder_.CreateStore(builder_.getInt32(next), field(PhaseState::kNext, warp_));
    builder_.CreateBr(latch_);
    stays_->addIncoming(builder_.getInt32(stays), copy);
  };
  auto known = barriers_.find(source.getTerminator()->getPrevNode());
  if (known != barriers_.end()) {
    auto *arrival = cast<CallInst>(copy->getTerminator()->getPrevNode());
    if (!arrival->getType()->isVoidTy()) {
      cast_vote(*arrival);
      arrival->replaceAllUsesWith(PoisonValue::get(arrival->getType()));
    }
    arrival->eraseFromParent();
    leaves_.push_back({known->second, copy});
    leave(first_ + static_cast<uint32_t>(known->second) + 1, 1);
  } else if (isa<ReturnInst>(source.getTerminator())) {
    leave(PhaseState::kEnded, 0);
  }
}

/// Counts the predicates of a warp that arrives.
void PhaseWriter::cast_vote(CallInst &arrival) {
  builder_.SetInsertPoint(&arrival);
  Type *i32 = builder_.getInt32Ty();
  auto add = [&](uint64_t offset, Value *lanes) {
    Value *counter = field(offset);
    Value *count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, lanes);
    builder_.CreateStore(builder_.CreateAdd(builder_.CreateLoad(i32, counter), count), counter);
  };
  add(PhaseState::kVoters, arrival.getArgOperand(3));
  add(PhaseState::kTruths, arrival.getArgOperand(4));
}

void PhaseWriter::store(Instruction *value, Value *now, BasicBlock *leaving) {
  builder_.SetInsertPoint(leaving->getTerminator());
  Type *type = type_in_frame(now->getType());
  builder_.CreateAlignedStore(type == now->getType() ? now : builder_.CreateBitCast(now, type), place(value), Align(8));
}

/// Stores what later phases use, where it is not what was loaded; a value that is both loaded and computed again (in a
/// loop around a barrier) gets its phis.
void PhaseWriter::keep_live_values() {
  SetVector<Instruction *> kept;
  for (const Leave &leave : leaves_) {
    kept.insert(values_.live_across(leave.end).begin(), values_.live_across(leave.end).end());
  }
  if (end_ != kEntry) {
    kept.insert(values_.live_across(end_).begin(), values_.live_across(end_).end());
  }
  for (Instruction *value : kept) {
    Value *loaded = loaded_.lookup(value);
    if (!is_defined_here(value)) {
      bool fresh = end_ != kEntry && value == values_.ends()[end_].barrier;
      for (const Leave &leave : leaves_) {
        if (fresh && values_.live_across(leave.end).contains(value)) {
          store(value, loaded, leave.block);
        }
      }
      continue;
    }
    auto *computed = cast<Instruction>(map_[value]);
    SSAUpdater versions;
    versions.Initialize(value->getType(), value->getName());
    versions.AddAvailableValue(computed->getParent(), computed);
    if (loaded != nullptr) {
      versions.AddAvailableValue(each_warp_, loaded);
      for (Use &use : make_early_inc_range(computed->uses())) {
        auto *user = cast<Instruction>(use.getUser());
        if (isa<PHINode>(user) || user->getParent() != computed->getParent()) {
          versions.RewriteUse(use);
        }
      }
    }
    for (const Leave &leave : leaves_) {
      if (values_.live_across(leave.end).contains(value)) {
        Value *now = loaded == nullptr ? computed : versions.GetValueAtEndOfBlock(leave.block);
        if (now != loaded) {
          store(value, now, leave.block);
        }
      }
    }
  }
}

}  // namespace hel::cc

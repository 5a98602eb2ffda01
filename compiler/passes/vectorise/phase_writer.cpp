// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/phase_writer.h"

#include "abi/block.h"
#include "abi/engine.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/needless_barriers.h"
#include "compiler/passes/vectorise/partings.h"
#include "compiler/passes/vectorise/split_phases.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace hel::cc {

using namespace llvm;

/// No warp has run yet: in the place of the phase that it would run next.
static constexpr uint32_t kNone = PhaseState::kSeveral - 1;
/// Warps that are too few to run jointly by as many as could are run by so many.
static constexpr unsigned kFewJoint = 4;

StructType *PhaseWriter::result_type(LLVMContext &context) {
  Type *i32 = Type::getInt32Ty(context);
  return StructType::get(context, {i32, i32});
}

PhaseWriter::PhaseWriter(Function &body, const PhaseValues &values, uint64_t frame_bytes, uint32_t first)
    : body_(body), values_(values), frame_bytes_(frame_bytes), first_(first), builder_(body.getContext()) {
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

Function *PhaseWriter::write(int end, std::vector<Function *> &functions) {
  end_ = end;
  const SetVector<BasicBlock *> blocks = blocks_of(body_, values_, end, true);
  const JointWarps joint(body_, values_, end, blocks.getArrayRef());
  SmallVector<Together, 2> together;
  blocks_ = joint.blocks();
  for (unsigned warps = joint.count(); warps >= std::min(joint.count(), kFewJoint) && warps > 1; warps /= 2) {
    together.push_back({write_loop(&joint, warps, {}), warps});
    functions.push_back(together.back().function);
  }
  blocks_ = blocks_of(body_, values_, end, false);
  functions.push_back(write_loop(nullptr, 1, together));
  return functions.back();
}

/// The loop over the warps: `warps` at a time, or one after the other those that `together` leaves.
Function *PhaseWriter::write_loop(const JointWarps *joint, unsigned warps, ArrayRef<Together> together) {
  leaves_.clear();
  warps_.clear();
  for (unsigned i = 0; i < warps; i++) {
    warps_.push_back(std::make_unique<OneWarp>());
  }
  create(together);
  begin_warps();
  map_local_arrays();
  load_live_values(joint);
  clone_blocks(joint);
  connect_copies(joint);
  for (BasicBlock *source : blocks_) {
    close_block(*source, joint);
  }
  for (size_t end = 0; joint != nullptr && end < values_.ends().size(); end++) {
    if (values_.ends()[end].kind == PhaseEnd::Parting && blocks_.contains(values_.ends()[end].after)) {
      part(end, *joint);
    }
  }
  keep_live_values(joint);
  return phase_;
}

/// The next phase of some warps and of others: kSeveral if it is not the same.
Value *PhaseWriter::common_phase(Value *some, Value *others) {
  Value *agree =
      builder_.CreateOr(builder_.CreateICmpEQ(some, others), builder_.CreateICmpEQ(some, builder_.getInt32(kNone)));
  return builder_.CreateSelect(agree, others, builder_.getInt32(PhaseState::kSeveral));
}

/// The loop without its body.
///
///   entry:  run what each of `together` can, as many warps as it takes at a time
///   each.warp: … next.warp:  the rest
void PhaseWriter::create(ArrayRef<Together> together) {
  LLVMContext &context = body_.getContext();
  Type *ptr = builder_.getPtrTy(), *i32 = builder_.getInt32Ty();
  auto *type = FunctionType::get(result_type(context), {ptr, ptr, i32, i32, ptr}, false);
  auto number = static_cast<uint32_t>(warps_.size());
  phase_ = Function::Create(type, GlobalValue::InternalLinkage,
                            body_.getName() + ".phase" + Twine(end_ + 1) + (number > 1 ? ".joint" + Twine(number) : ""),
                            body_.getParent());
  phase_->addFnAttr(Attribute::NoUnwind);
  phase_->addFnAttr(Attribute::NoInline);  // each has the registers for itself
  const char *names[] = {"launch", "block", "begin", "end", "state"};
  for (Argument &argument : phase_->args()) {
    argument.setName(names[argument.getArgNo()]);
  }
  state_ = phase_->getArg(4);
  Value *begin = phase_->getArg(2), *end = phase_->getArg(3);
  entry_ = BasicBlock::Create(context, "entry", phase_);
  BasicBlock *before = entry_;
  Value *first = begin, *ran = builder_.getInt32(0), *ran_next = builder_.getInt32(kNone);
  each_warp_ = BasicBlock::Create(context, "each.warp", phase_);
  latch_ = BasicBlock::Create(context, "next.warp", phase_);
  BasicBlock *done = BasicBlock::Create(context, "done", phase_);
  builder_.SetInsertPoint(done);
  PHINode *all_live = builder_.CreatePHI(i32, 2, "all.live"), *all_next = builder_.CreatePHI(i32, 2, "all.next");
  Value *results[] = {all_live, all_next};
  builder_.CreateAggregateRet(results, 2);

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
    Value *result = builder_.CreateCall(function, {phase_->getArg(0), phase_->getArg(1), first, last, state_});
    Value *live = builder_.CreateAdd(ran, builder_.CreateExtractValue(result, kLive)),
          *next = common_phase(ran_next, builder_.CreateExtractValue(result, kNextPhase));
    builder_.CreateBr(rest);
    builder_.SetInsertPoint(rest);
    PHINode *live_here = builder_.CreatePHI(i32, 2, "ran"), *next_here = builder_.CreatePHI(i32, 2, "ran.next");
    live_here->addIncoming(ran, before);
    live_here->addIncoming(live, jointly);
    next_here->addIncoming(ran_next, before);
    next_here->addIncoming(next, jointly);
    before = rest;
    first = last;
    ran = live_here;
    ran_next = next_here;
  }
  if (together.empty()) {
    builder_.CreateBr(each_warp_);
  } else {
    builder_.CreateCondBr(builder_.CreateICmpULT(first, end), each_warp_, done);
    all_live->addIncoming(ran, before);
    all_next->addIncoming(ran_next, before);
  }

  builder_.SetInsertPoint(each_warp_);
  PHINode *warp = builder_.CreatePHI(i32, 2, "warp"), *live = builder_.CreatePHI(i32, 2, "live"),
          *common = builder_.CreatePHI(i32, 2, "common");
  warp_ = warp;
  builder_.SetInsertPoint(latch_);
  stays_ = builder_.CreatePHI(i32, 2, "stays");
  next_phase_ = builder_.CreatePHI(i32, 2, "next.phase");
  Value *next_common = common_phase(common, next_phase_);
  Value *next_live = builder_.CreateAdd(live, stays_), *next = builder_.CreateAdd(warp, builder_.getInt32(number));
  builder_.CreateCondBr(builder_.CreateICmpULT(next, end), each_warp_, done);
  all_live->addIncoming(next_live, latch_);
  all_next->addIncoming(next_common, latch_);
  warp->addIncoming(first, before);
  warp->addIncoming(next, latch_);
  live->addIncoming(ran, before);
  live->addIncoming(next_live, latch_);
  common->addIncoming(ran_next, before);
  common->addIncoming(next_common, latch_);
}

/// Who the warps are, and what the arguments of the body stand for.
void PhaseWriter::begin_warps() {
  builder_.SetInsertPoint(each_warp_);
  Value *who = builder_.CreateAdd(warp_, builder_.getInt32(static_cast<uint32_t>(warps_.size()) << 16));
  builder_.CreateStore(who, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), phase_->getArg(1),
                                                                offsetof(abi::BlockState, warps)));
  for (size_t i = 0; i < warps_.size(); i++) {
    OneWarp &one = *warps_[i];
    one.number = i == 0 ? warp_ : builder_.CreateAdd(warp_, builder_.getInt32(static_cast<uint32_t>(i)));
    Value *offset = builder_.CreateMul(builder_.CreateZExt(one.number, builder_.getInt64Ty()),
                                       builder_.getInt64(frame_bytes_));
    one.frame = builder_.CreateGEP(builder_.getInt8Ty(), state_,
                                   builder_.CreateAdd(offset, builder_.getInt64(PhaseState::kFrames)), "frame");
    one.map[body_.getArg(kLaunch)] = phase_->getArg(0);
    one.map[body_.getArg(kBlock)] = phase_->getArg(1);
    one.map[body_.getArg(kWarp)] = one.number;
    for (unsigned d = 0; d < 3; d++) {
      one.map[body_.getArg(kBlockIndex + d)] = block_index_[d];
    }
    one.map[body_.getArg(kLanes)] =
        body_.getArg(kLanes)->use_empty()
            ? static_cast<Value *>(PoisonValue::get(builder_.getInt32Ty()))
            : builder_.CreateLoad(builder_.getInt32Ty(), field(PhaseState::kLanes, one.number), "lanes");
  }
}

Value *PhaseWriter::field(uint64_t offset, Value *warp) {
  Value *base = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), state_, offset);
  return warp == nullptr ? base : builder_.CreateInBoundsGEP(builder_.getInt32Ty(), base, warp);
}

Value *PhaseWriter::place(const Instruction *value, unsigned warp) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), warps_[warp]->frame, values_.place_of(value));
}

/// Arrays of the kernel live in the frame, the widener's scratch space on the stack: warps that run jointly do each
/// instruction one after the other, and have their own.
void PhaseWriter::map_local_arrays() {
  for (Instruction &inst : instructions(body_)) {
    if (!isa<AllocaInst>(inst)) {
      continue;
    }
    for (unsigned i = 0; i < warps_.size(); i++) {
      if (!inst.hasMetadata(kScratch)) {
        warps_[i]->map[&inst] = place(&inst, i);
        continue;
      }
      Instruction *scratch = inst.clone();
      scratch->insertBefore(entry_->getTerminator()->getIterator());
      warps_[i]->map[&inst] = scratch;
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

void PhaseWriter::load_live_values(const JointWarps *joint) {
  if (end_ == kEntry) {
    return;
  }
  for (Instruction *value : values_.live_across(end_)) {
    for (unsigned i = 0; i < warps_.size(); i++) {
      if (i > 0 && !joint->differs(value)) {
        warps_[i]->loaded[value] = warps_[0]->loaded[value];
        continue;
      }
      if (value == values_.ends()[end_].call) {
        warps_[i]->loaded[value] = result_of_vote(*values_.ends()[end_].call);
        continue;
      }
      Type *type = type_in_frame(value->getType());
      Value *loaded = builder_.CreateAlignedLoad(type, place(value, i), Align(8), value->getName());
      warps_[i]->loaded[value] = type == value->getType() ? loaded : builder_.CreateBitCast(loaded, value->getType());
    }
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

/// A mark that the phase goes on behind.
static bool is_passed(const Instruction &inst, const JointWarps *joint) {
  return is_parting(inst) || is_needless_barrier(inst) || (joint != nullptr && is_round(inst));
}

/// Copies the blocks: what differs between the warps once for each, the rest once.
void PhaseWriter::clone_blocks(const JointWarps *joint) {
  for (BasicBlock *block : blocks_) {
    BasicBlock *copy = BasicBlock::Create(body_.getContext(), block->getName(), phase_, latch_);
    for (Instruction &inst : *block) {
      if (isa<AllocaInst>(inst) || is_passed(inst, joint)) {
        continue;
      }
      bool once = joint == nullptr || inst.isTerminator() || !joint->differs(&inst);
      Instruction *made = nullptr;
      for (std::unique_ptr<OneWarp> &one : warps_) {
        if (made == nullptr || !once) {
          made = inst.clone();
          made->insertInto(copy, copy->end());
          made->setName(inst.getName());
        }
        one->map[&inst] = made;
      }
    }
    for (std::unique_ptr<OneWarp> &one : warps_) {
      one->map[block] = copy;
    }
  }
  builder_.CreateBr(cast<BasicBlock>(warps_[0]->map[blocks_[0]]));
}

/// True if the phase computes `value` itself (the result of a barrier is known only after it).
bool PhaseWriter::is_defined_here(const Instruction *value) const {
  return blocks_.contains(value->getParent()) && !barriers_.contains(value);
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

/// In the place of the terminator of `from`: the warps go on with the phase `next`, if they `stay`.
void PhaseWriter::leave(BasicBlock *from, uint32_t next, bool stay) {
  if (Instruction *end = from->getTerminator(); end != nullptr) {
    end->eraseFromParent();
  }
  builder_.SetInsertPoint(from);
  for (std::unique_ptr<OneWarp> &one : warps_) {
    builder_.CreateStore(builder_.getInt32(next), field(PhaseState::kNext, one->number));
  }
  builder_.CreateBr(latch_);
  stays_->addIncoming(builder_.getInt32(stay ? static_cast<uint32_t>(warps_.size()) : 0), from);
  next_phase_->addIncoming(builder_.getInt32(next), from);
}

/// The way out of a block that ends the warps or stands at a barrier; all others keep their terminators.
void PhaseWriter::close_block(BasicBlock &source, const JointWarps *joint) {
  auto *copy = cast<BasicBlock>(warps_[0]->map[&source]);
  const Instruction *last = source.getTerminator()->getPrevNode();
  auto known = barriers_.find(last);
  if (known != barriers_.end() && !is_passed(*last, joint)) {
    const Function *callee = values_.ends()[known->second].call->getCalledFunction();
    while (auto *arrival = dyn_cast_or_null<CallInst>(copy->getTerminator()->getPrevNode())) {
      if (arrival->getCalledFunction() != callee) {
        break;
      }
      if (!arrival->getType()->isVoidTy()) {
        cast_vote(*arrival);
        arrival->replaceAllUsesWith(PoisonValue::get(arrival->getType()));
      }
      arrival->eraseFromParent();
    }
    leaves_.push_back({known->second, copy});
    leave(copy, first_ + static_cast<uint32_t>(known->second) + 1, true);
  } else if (isa<ReturnInst>(source.getTerminator())) {
    leave(copy, PhaseState::kEnded, false);
  }
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
  Value *all = nullptr, *any = nullptr;
  for (std::unique_ptr<OneWarp> &one : warps_) {
    Value *its = one->map[branch->getCondition()];
    all = all == nullptr ? its : builder_.CreateAnd(all, its);
    any = any == nullptr ? its : builder_.CreateOr(any, its);
  }
  const std::pair<BasicBlock *, Value *> ways[] = {{branch->getSuccessor(0), all},
                                                   {branch->getSuccessor(1), builder_.CreateNot(any)}};
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
  leave(parted, first_ + static_cast<uint32_t>(end) + 1, true);
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

/// What is to be kept is what the phase has found in that place.
bool PhaseWriter::is_kept(const Kept &kept) const {
  const Value *now = kept.now;
  SmallPtrSet<const Value *, 8> seen;
  for (const auto *phi = dyn_cast<PHINode>(now); phi != nullptr && phi->getNumIncomingValues() == 1;
       phi = dyn_cast<PHINode>(now)) {
    if (!seen.insert(phi).second) {
      return false;
    }
    now = phi->getIncomingValue(0);
  }
  return any_of(warps_[kept.warp]->loaded, [&](const auto &found) {
    bool in_frame = end_ != kEntry && found.first != values_.ends()[end_].call;
    return in_frame && found.second == now && values_.place_of(found.first) == values_.place_of(kept.value);
  });
}

void PhaseWriter::store(const Kept &kept) {
  if (is_kept(kept)) {
    return;
  }
  builder_.SetInsertPoint(kept.leaving->getTerminator());
  Type *type = type_in_frame(kept.now->getType());
  builder_.CreateAlignedStore(type == kept.now->getType() ? kept.now : builder_.CreateBitCast(kept.now, type),
                              place(kept.value, kept.warp), Align(8));
}

/// Stores what later phases use, where it is not what was loaded: which is seen when all uses of what was loaded are
/// in place.
void PhaseWriter::keep_live_values(const JointWarps *joint) {
  SetVector<Instruction *> live;
  for (const Leave &leave : leaves_) {
    live.insert(values_.live_across(leave.end).begin(), values_.live_across(leave.end).end());
  }
  if (end_ != kEntry) {
    live.insert(values_.live_across(end_).begin(), values_.live_across(end_).end());
  }
  std::vector<Kept> kept;
  for (Instruction *value : live) {
    auto number = static_cast<unsigned>(warps_.size());
    if (joint != nullptr && !joint->differs(value)) {
      find_kept(value, 0, number, kept);
      continue;
    }
    for (unsigned i = 0; i < number; i++) {
      find_kept(value, i, i + 1, kept);
    }
  }
  for (const Kept &one : kept) {
    store(one);
  }
}

/// What is to be kept as `value`, which is the same for the warps [first, last). One that is both loaded and computed
/// again (in a loop around a barrier) gets its phis.
void PhaseWriter::find_kept(Instruction *value, unsigned first, unsigned last, std::vector<Kept> &kept) {
  Value *loaded = warps_[first]->loaded.lookup(value);
  auto keep = [&](Value *now, BasicBlock *leaving) {
    for (unsigned i = first; i < last; i++) {
      kept.push_back({value, i, now, leaving});
    }
  };
  if (!is_defined_here(value)) {
    bool fresh = end_ != kEntry && value == values_.ends()[end_].call;
    for (const Leave &leave : leaves_) {
      if (fresh && values_.live_across(leave.end).contains(value)) {
        keep(loaded, leave.block);
      }
    }
    return;
  }
  auto *computed = cast<Instruction>(warps_[first]->map[value]);
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
      keep(loaded == nullptr ? computed : versions.GetValueAtEndOfBlock(leave.block), leave.block);
    }
  }
}

}  // namespace hel::cc

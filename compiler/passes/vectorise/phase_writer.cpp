// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/phase_writer.h"

#include "abi/block.h"
#include "abi/engine.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/loads_at_barrier.h"
#include "compiler/passes/vectorise/needless_barriers.h"
#include "compiler/passes/vectorise/partings.h"
#include "compiler/passes/vectorise/split_phases.h"

#include "llvm/IR/CFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace hel::cc {

using namespace llvm;

/// Warps that are too few to run jointly by as many as could are run by so many.
static constexpr unsigned kFewJoint = 4;

bool PhaseWriter::is_passed(const Instruction &inst, const JointWarps *joint) {
  return is_parting(inst) || is_needless_barrier(inst) || (joint != nullptr && is_round(inst));
}

Phase PhaseWriter::write(int end, std::vector<Function *> &functions) {
  end_ = end;
  next_.clear();
  blocks_ = blocks_of(body_, values_, end, false);
  SmallVector<Together, 2> together;
  first_warp_only_ = is_for_first_warp();
  if (!first_warp_only_) {
    const SetVector<BasicBlock *> blocks = blocks_of(body_, values_, end, true);
    const JointWarps joint(body_, values_, end, blocks.getArrayRef(), machine_);
    blocks_ = joint.blocks();
    if (joint.count() > 1) {
      steps_ = std::make_unique<WarpSteps>(body_, joint);
    }
    for (unsigned warps = joint.count(); warps >= std::min(joint.count(), kFewJoint) && warps > 1; warps /= 2) {
      together.push_back({write_loop(&joint, warps, {}), warps});
      functions.push_back(together.back().function);
    }
    steps_.reset();
    blocks_ = blocks_of(body_, values_, end, false);
  }
  if (!first_warp_only_ && together.empty()) {
    idle_ = std::make_unique<IdleWarps>(body_, values_, blocks_.getArrayRef(), barriers_);
    if (!can_skip(*idle_)) {
      idle_.reset();
    }
  }
  functions.push_back(write_loop(nullptr, 1, together));
  idle_.reset();
  Phase phase{functions.back(), next_};
  phase.is_first = end == kEntry;
  phase.goes_on = end != kEntry && values_.ends()[end].kind != PhaseEnd::Barrier;
  phase.votes =
      any_of(leaves_, [&](const Leave &leave) { return !values_.ends()[leave.end].call->getType()->isVoidTy(); });
  return phase;
}

/// The loop over the warps: `warps` at a time, or one after the other those that `together` leaves.
Function *PhaseWriter::write_loop(const JointWarps *joint, unsigned warps, ArrayRef<Together> together) {
  leaves_.clear();
  warps_.clear();
  busy_ = nullptr;
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
  close_loop();
  // What an atomic on shared memory reads is there when the warp before has written it.
  if (end_ != kEntry && !body_.hasFnAttribute(kSharedAtomics)) {
    load_once_for_all_warps(*each_warp_, *entry_);
  }
  return phase_;
}

/// Who the warps are, and what the arguments of the body stand for.
void PhaseWriter::begin_warps() {
  builder_.SetInsertPoint(each_warp_);
  Value *who = builder_.CreateAdd(warp_, builder_.getInt32(static_cast<uint32_t>(warps_.size()) << 16));
  builder_.CreateStore(who, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), phase_->getArg(1),
                                                                offsetof(abi::BlockState, warps)));
  for (size_t i = 0; i < warps_.size(); i++) {
    OneWarp &one = *warps_[i];
    one.number =
        i == 0 ? warp_ : builder_.CreateAdd(warp_, builder_.getInt32(static_cast<uint32_t>(i)), "", true, true);
    one.frame = frame_of(one.number);
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

Value *PhaseWriter::frame_of(Value *warp) {
  Value *offset = builder_.CreateMul(builder_.CreateZExt(warp, builder_.getInt64Ty()), builder_.getInt64(frame_bytes_));
  return builder_.CreateGEP(builder_.getInt8Ty(), state_,
                            builder_.CreateAdd(offset, builder_.getInt64(PhaseState::kFrames)), "frame");
}

Value *PhaseWriter::place(const Instruction *value, unsigned warp) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame_with(value, warps_[warp]->frame),
                                             values_.place_of(value));
}

/// The frame where `value` of the warp with the frame `of_warp` is kept.
Value *PhaseWriter::frame_with(const Instruction *value, Value *of_warp) {
  if (!values_.has_common_place(value)) {
    return of_warp;
  }
  if (first_frame_ == nullptr) {
    IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(entry_->getTerminator());
    first_frame_ = frame_of(phase_->getArg(2));
  }
  return first_frame_;
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
      IRBuilder<>::InsertPointGuard guard(builder_);
      if (values_.has_common_place(value)) {
        builder_.SetInsertPoint(entry_->getTerminator());
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

/// True if the phase computes `value` itself (the result of a barrier is known only after it).
bool PhaseWriter::is_defined_here(const Instruction *value) const {
  return blocks_.contains(value->getParent()) && !barriers_.contains(value);
}

/// In the place of the terminator of `from`: the warps go on with the phase `next`.
void PhaseWriter::leave(BasicBlock *from, uint32_t next) {
  if (Instruction *end = from->getTerminator(); end != nullptr) {
    end->eraseFromParent();
  }
  builder_.SetInsertPoint(from);
  builder_.CreateBr(latch_);
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
    leave(copy, first_ + static_cast<uint32_t>(known->second) + 1);
  } else if (isa<ReturnInst>(source.getTerminator())) {
    leave(copy, PhaseState::kEnded);
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

/// Into the place of the value, in `frame` if each warp has its own.
void PhaseWriter::store(const Kept &kept, Value *frame) {
  Type *type = type_in_frame(kept.now->getType());
  Value *place = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), frame_with(kept.value, frame),
                                                     values_.place_of(kept.value));
  builder_.CreateAlignedStore(type == kept.now->getType() ? kept.now : builder_.CreateBitCast(kept.now, type), place,
                              Align(8));
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
  erase_if(kept, [this](const Kept &one) { return is_kept(one); });
  for (const Kept &one : kept) {
    builder_.SetInsertPoint(one.leaving->getTerminator());
    store(one, warps_[one.warp]->frame);
  }
  if (idle_ != nullptr) {
    skip_idle_warps(kept);
  }
}

/// An idle warp has in the place of `value` what it had there before the phase.
bool PhaseWriter::stays_for_idle_warps(const Instruction *value, const IdleWarps &idle) const {
  auto *now = const_cast<Instruction *>(dyn_cast<Instruction>(idle.value_of(value)));
  return now != nullptr && end_ != kEntry && !is_defined_here(now) && now != values_.ends()[end_].call &&
         values_.live_across(end_).contains(now) && values_.place_of(now) == values_.place_of(value);
}

/// There are idle warps, and what they keep is what they had or what all have alike.
bool PhaseWriter::can_skip(const IdleWarps &idle) const {
  return idle.found() && all_of(values_.ends(), [&](const PhaseEnd &end) {
           auto number = static_cast<size_t>(&end - values_.ends().data());
           return end.kind == PhaseEnd::Parting || !idle.may_come_to(end.call->getParent()) ||
                  all_of(values_.live_across(number), [&](const Instruction *value) {
                    return values_.is_uniform(value) || stays_for_idle_warps(value, idle);
                  });
         });
}

/// A warp that was idle is the last one to run. The others keep what it keeps.
void PhaseWriter::skip_idle_warps(ArrayRef<Kept> kept) {
  SSAUpdater busy;
  busy.Initialize(builder_.getInt1Ty(), "busy");
  busy.AddAvailableValue(each_warp_, builder_.getFalse());
  for (auto [from, to] : idle_->busy_edges()) {
    auto *source = cast<BasicBlock>(warps_[0]->map[from]), *target = cast<BasicBlock>(warps_[0]->map[to]);
    BasicBlock *edge = BasicBlock::Create(phase_->getContext(), "busy", phase_, target);
    BranchInst::Create(target, edge);
    source->getTerminator()->replaceSuccessorWith(target, edge);
    target->replacePhiUsesWith(source, edge);
    busy.AddAvailableValue(edge, builder_.getTrue());
  }
  for (const Leave &leave : leaves_) {
    SmallVector<Kept, 4> passed_on;
    copy_if(kept, std::back_inserter(passed_on), [&](const Kept &one) {
      return one.leaving == leave.block && !values_.has_common_place(one.value) &&
             !stays_for_idle_warps(one.value, *idle_);
    });
    if (passed_on.empty() || !idle_->may_come_to(values_.ends()[leave.end].call->getParent())) {
      continue;
    }
    Instruction *end = leave.block->getTerminator();
    Value *was_busy = busy.GetValueAtEndOfBlock(leave.block);
    builder_.SetInsertPoint(end);
    Value *next = builder_.CreateAdd(warp_, builder_.getInt32(1)),
          *number = builder_.CreateSub(phase_->getArg(3), next);
    Value *any = builder_.CreateAnd(builder_.CreateNot(was_busy), builder_.CreateIsNotNull(number), "any.idle");
    auto [at, i] = SplitBlockAndInsertSimpleForLoop(number, SplitBlockAndInsertIfThen(any, end, false)->getIterator());
    builder_.SetInsertPoint(at);
    Value *frame = frame_of(builder_.CreateAdd(next, i));
    for (const Kept &one : passed_on) {
      store(one, frame);
    }
  }
  busy_ = busy.GetValueAtEndOfBlock(latch_);
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

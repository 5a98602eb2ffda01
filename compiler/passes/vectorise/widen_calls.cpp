// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: special registers, barriers, warp functions, mathematics, and what has to run lane by lane.
#include "compiler/ir/simt_ops.h"
#include "compiler/passes/lower/permute_in_registers.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/lane_loops.h"
#include "compiler/passes/vectorise/widener.h"

#include "abi/block.h"
#include "abi/engine.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

#include <array>
#include <cstddef>

namespace hel::cc {

using namespace llvm;

namespace {

bool is_ignored(const CallBase &call) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  return intrinsic != nullptr && (intrinsic->isAssumeLikeIntrinsic() || isa<DbgInfoIntrinsic>(intrinsic));
}

/// Source lane and predicate of `shfl.sync`, as PTX defines them.
struct ShuffleLane {
  unsigned lane;
  bool in_range;
};

ShuffleLane shuffle_source(unsigned mode, unsigned lane, unsigned b, unsigned c) {
  unsigned bval = b & 31, cval = c & 31, segment = (c >> 8) & 31;
  unsigned max_lane = (lane & segment) | (cval & ~segment), min_lane = lane & segment;
  int j = 0;
  bool in_range = false;
  switch (mode) {
    case HlShflUp:
      j = static_cast<int>(lane) - static_cast<int>(bval);
      in_range = j >= static_cast<int>(max_lane);
      break;
    case HlShflDown:
      j = static_cast<int>(lane + bval);
      in_range = j <= static_cast<int>(max_lane);
      break;
    case HlShflBfly:
      j = static_cast<int>(lane ^ bval);
      in_range = j <= static_cast<int>(max_lane);
      break;
    default:
      j = static_cast<int>(min_lane | (bval & ~segment));
      in_range = j <= static_cast<int>(max_lane);
      break;
  }
  return {in_range ? static_cast<unsigned>(j) : lane, in_range};
}

/// How numbers are reduced, and what changes nothing.
struct Reduction {
  Intrinsic::ID id;
  APInt identity;
};

Reduction reduction_of(Intrinsic::ID id) {
  switch (id) {
    case Intrinsic::nvvm_redux_sync_add:
      return {Intrinsic::vector_reduce_add, APInt(32, 0)};
    case Intrinsic::nvvm_redux_sync_or:
      return {Intrinsic::vector_reduce_or, APInt(32, 0)};
    case Intrinsic::nvvm_redux_sync_xor:
      return {Intrinsic::vector_reduce_xor, APInt(32, 0)};
    case Intrinsic::nvvm_redux_sync_and:
      return {Intrinsic::vector_reduce_and, APInt::getAllOnes(32)};
    case Intrinsic::nvvm_redux_sync_min:
      return {Intrinsic::vector_reduce_smin, APInt::getSignedMaxValue(32)};
    case Intrinsic::nvvm_redux_sync_max:
      return {Intrinsic::vector_reduce_smax, APInt::getSignedMinValue(32)};
    case Intrinsic::nvvm_redux_sync_umin:
      return {Intrinsic::vector_reduce_umin, APInt::getAllOnes(32)};
    default:
      return {Intrinsic::vector_reduce_umax, APInt(32, 0)};
  }
}

}  // namespace

void Widener::emit_call(CallBase &call) {
  if (is_ignored(call) || emit_special_register(call) || emit_barrier(call) || emit_warp_function(call)) {
    return;
  }
  if (call.isInlineAsm()) {
    if (call.arg_size() == 0 && call.getType()->isVoidTy() &&
        cast<InlineAsm>(call.getCalledOperand())->getAsmString().empty()) {
      builder_.Insert(call.clone());
      return;
    }
    return refuse("inline assembly");
  }
  Function *callee = call.getCalledFunction();
  if (callee == nullptr) {
    return emit_function_call(call);
  }
  if (callee->getName() == "__hl_yield") {
    if (meetings_->may_wait_within_warp(*call.getParent())) {
      return refuse("a loop in which lanes of a warp may wait for each other");
    }
    builder_.Insert(call.clone());
    return;
  }
  if (callee->getIntrinsicID() == Intrinsic::nvvm_nanosleep) {
    emit_nanosleep(call);
    return;
  }
  Intrinsic::ID id = callee->getIntrinsicID();
  if (id == Intrinsic::nvvm_membar_cta || id == Intrinsic::nvvm_membar_gl || id == Intrinsic::nvvm_membar_sys) {
    builder_.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return;
  }
  if (!call.getType()->isVoidTy() && shape_of(&call).is_uniform() && !call.mayHaveSideEffects()) {
    return emit_uniform(call);
  }
  if (shape_of(&call).is_linear()) {
    return define(call, linear_bases(call));
  }
  if (id != Intrinsic::not_intrinsic && isTriviallyVectorizable(id)) {
    return emit_vector_intrinsic(call, id);
  }
  if (const SimtOp *op = find_simt_op(*callee);
      op != nullptr && op->effect == Effect::Reads && shape_of(&call).is_uniform()) {
    return emit_uniform(call);  // a clock is read once for the warp
  }
  if (id != Intrinsic::not_intrinsic && callee->getName().starts_with("llvm.nvvm.")) {
    return refuse(Twine("intrinsic ") + callee->getName());
  }
  if (is_lane_loop(*callee)) {
    return emit_lane_by_lane(call, Lane::Small);
  }
  if (emit_engine_meeting(call)) {
    return;
  }
  if (id == Intrinsic::not_intrinsic) {
    return emit_function_call(call);
  }
  emit_lane_by_lane(call, id == Intrinsic::trap ? Lane::AsThread : Lane::Small);
}

/// The lanes call one after the other, each its own function where they are called by pointers.
void Widener::emit_function_call(CallBase &call) {
  const CalleeKind kind = callees_.kind_of(call);
  if (kind == CalleeKind::MeetsOthers) {
    const Function *callee = call.getCalledFunction();
    return refuse(callee != nullptr ? Twine("call of ") + callee->getName() + ", which may meet other threads"
                                    : Twine("call by a pointer of functions that may meet other threads"));
  }
  emit_lane_by_lane(call, kind == CalleeKind::AsksWhoCalls ? Lane::AsThread : Lane::Small);
}

/// A direct call of an engine function at which threads meet. A warp arrives as a whole at a barrier; every other one
/// is left to the thread engine. False if the call is of no such function.
bool Widener::emit_engine_meeting(CallBase &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (!is_meeting_point(name) && name != "__hl_exit") {
    return false;
  }
  if (name != "__hl_barrier" && name != "__hl_grid_sync") {
    refuse(Twine("call of ") + name);
    return true;
  }
  if (!only_exits_pending(index_)) {
    refuse("barrier where lanes of a warp have gone different ways");
    return true;
  }
  SmallVector<Value *, 2> arguments;
  for (Value *argument : call.args()) {
    if (!shape_of(argument).is_uniform()) {
      refuse("barrier whose number differs between lanes");
      return true;
    }
    arguments.push_back(scalar(argument));
  }
  uses_barrier_ = true;
  builder_.CreateCall(call.getCalledFunction(), arguments);
  return true;
}

/// All lanes sleep as long as the one that sleeps longest.
void Widener::emit_nanosleep(CallBase &call) {
  Value *time = call.getArgOperand(0), *longest;
  if (shape_of(time).is_uniform()) {
    longest = scalar(time);
  } else {
    Value *of_lanes = builder_.CreateSelect(mask_, vector(time), Constant::getNullValue(wide_type(time->getType())));
    longest = builder_.CreateUnaryIntrinsic(Intrinsic::vector_reduce_umax, of_lanes);
  }
  FunctionCallee sleep =
      kernel_.getParent()->getOrInsertFunction("__hl_nanosleep", builder_.getVoidTy(), builder_.getInt32Ty());
  builder_.CreateCall(sleep, {longest});
}

void Widener::emit_vector_intrinsic(CallBase &call, Intrinsic::ID id) {
  SmallVector<Type *, 3> types;
  SmallVector<Value *, 4> arguments;
  Type *result = wide_type(call.getType());
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr)) {
    types.push_back(call.getType()->isStructTy() ? cast<StructType>(result)->getElementType(0) : result);
  }
  for (unsigned i = 0; i < call.arg_size(); i++) {
    Value *argument = call.getArgOperand(i);
    bool stays_scalar = isVectorIntrinsicWithScalarOpAtArg(id, i, nullptr);
    arguments.push_back(stays_scalar ? scalar(argument) : vector(argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, i, nullptr)) {
      types.push_back(arguments.back()->getType());
    }
  }
  Function *wide = Intrinsic::getOrInsertDeclaration(kernel_.getParent(), id, types);
  CallInst *made = builder_.CreateCall(wide, arguments);
  if (isa<FPMathOperator>(call)) {
    made->copyFastMathFlags(call.getFastMathFlags());
  }
  define(call, made);
}

bool Widener::emit_special_register(CallBase &call) {
  Type *i32 = builder_.getInt32Ty();
  auto load = [&](Value *base, size_t offset) {
    define(call, constant_field(i32, base, offset));
    return true;
  };
  auto lane_mask = [&](auto bits_of_lane) {
    SmallVector<Constant *, kWarpSize> lanes;
    for (unsigned lane = 0; lane < kWarpSize; lane++) {
      lanes.push_back(ConstantInt::get(i32, bits_of_lane(lane)));
    }
    define(call, ConstantVector::get(lanes));
    return true;
  };
  constexpr size_t y = offsetof(abi::Dim3, y), z = offsetof(abi::Dim3, z);
  switch (call.getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      define(call, tid_[0]);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      define(call, tid_[1]);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      define(call, tid_[2]);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      if (short_row(layout_) != 0) {
        define(call, builder_.getInt32(short_row(layout_)));
        return true;
      }
      return load(launch_, offsetof(abi::LaunchState, block));
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return load(launch_, offsetof(abi::LaunchState, block) + y);
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return load(launch_, offsetof(abi::LaunchState, block) + z);
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      return load(launch_, offsetof(abi::LaunchState, grid));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      return load(launch_, offsetof(abi::LaunchState, grid) + y);
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return load(launch_, offsetof(abi::LaunchState, grid) + z);
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      define(call, body_.getArg(kBlockIndex));
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      define(call, body_.getArg(kBlockIndex + 1));
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      define(call, body_.getArg(kBlockIndex + 2));
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      define(call, builder_.getInt32(0));
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_warpid:
      define(call, warp_);
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      define(call, builder_.getInt32(kWarpSize));
      return true;
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
      return lane_mask([](unsigned l) { return 1u << l; });
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
      return lane_mask([](unsigned l) { return (1u << l) - 1; });
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
      return lane_mask([](unsigned l) { return (2u << l) - 1; });
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
      return lane_mask([](unsigned l) { return ~((2u << l) - 1); });
    case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
      return lane_mask([](unsigned l) { return ~((1u << l) - 1); });
    default:
      return false;
  }
}

/// A warp arrives as a whole: its other lanes have left the kernel.
bool Widener::emit_barrier(CallBase &call) {
  int reduction = -1;
  bool counted = false;
  switch (call.getIntrinsicID()) {
    case Intrinsic::nvvm_barrier_cta_sync_all:
    case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
      break;
    case Intrinsic::nvvm_barrier_cta_sync_count:
    case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
      counted = true;
      break;
    case Intrinsic::nvvm_barrier_cta_red_popc_all:
    case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
      reduction = 0;
      break;
    case Intrinsic::nvvm_barrier_cta_red_and_all:
    case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
      reduction = 1;
      break;
    case Intrinsic::nvvm_barrier_cta_red_or_all:
    case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
      reduction = 2;
      break;
    default:
      return false;
  }
  if (!only_exits_pending(index_)) {
    refuse("barrier where lanes of a warp have gone different ways");
    return true;
  }
  if (!shape_of(call.getArgOperand(0)).is_uniform() || (counted && !shape_of(call.getArgOperand(1)).is_uniform())) {
    refuse("barrier whose number differs between lanes");
    return true;
  }
  uses_barrier_ = true;
  Value *id = scalar(call.getArgOperand(0));
  Value *threads = counted ? scalar(call.getArgOperand(1)) : builder_.getInt32(0);
  Module &module = *kernel_.getParent();
  Type *i32 = builder_.getInt32Ty();
  if (reduction < 0) {
    FunctionCallee barrier = module.getOrInsertFunction("__hl_barrier", builder_.getVoidTy(), i32, i32);
    builder_.CreateCall(barrier, {id, threads});
    return true;
  }
  Value *predicate = vector(call.getArgOperand(1));
  Value *truths = mask_bits(builder_.CreateSelect(mask_, predicate, Constant::getNullValue(mask_->getType())));
  FunctionCallee barrier = module.getOrInsertFunction("__hl_barrier_red_lanes", i32, i32, i32, i32, i32, i32);
  Value *result = builder_.CreateCall(barrier, {builder_.getInt32(reduction), id, threads, mask_bits(mask_), truths});
  if (call.getType()->isIntegerTy(1)) {
    result = builder_.CreateICmpNE(result, builder_.getInt32(0));
  }
  define(call, result);
  return true;
}

/// The lanes that are named must be those that are here (or have left the kernel). Where the warp has split, that is
/// checked at run time. What waits for lanes that come later is left to the thread engine.
bool Widener::check_members(CallBase &call, Value *members) {
  if (only_exits_pending(index_)) {
    return true;
  }
  auto *constant = dyn_cast<ConstantInt>(members);
  if (constant != nullptr && constant->isMinusOne() && !meetings_->is_reached_at_once(index_)) {
    refuse("warp function for all lanes where lanes have gone different ways");
    return false;
  }
  Value *missing;
  if (shape_of(members).is_uniform()) {
    missing = builder_.CreateAnd(scalar(members), builder_.CreateNot(mask_bits(mask_)));
  } else {
    Value *named = builder_.CreateSelect(mask_, vector(members), Constant::getNullValue(wide_type(members->getType())));
    missing = builder_.CreateAnd(builder_.CreateUnaryIntrinsic(Intrinsic::vector_reduce_or, named),
                                 builder_.CreateNot(mask_bits(mask_)));
  }
  FunctionCallee report =
      kernel_.getParent()->getOrInsertFunction("__hl_members_missing", builder_.getVoidTy(), builder_.getInt32Ty());
  BasicBlock *wrong = BasicBlock::Create(context_, "members.missing", &body_),
             *right = BasicBlock::Create(context_, "members", &body_);
  builder_.CreateCondBr(builder_.CreateICmpNE(missing, builder_.getInt32(0)), wrong, right);
  builder_.SetInsertPoint(wrong);
  builder_.CreateCall(report, {missing});
  builder_.CreateBr(right);
  builder_.SetInsertPoint(right);
  return true;
}

/// lanes[i] is the lane whose value lane i gets.
Value *Widener::permute(Value *source, Value *lanes) {
  Value *bits = builder_.CreateBitCast(source, wide_type(builder_.getInt32Ty()));
  return builder_.CreateBitCast(builder_.CreateCall(&permute_function(*kernel_.getParent()), {bits, lanes}),
                                source->getType());
}

void Widener::emit_shuffle(CallBase &call, unsigned mode, bool with_predicate) {
  if (!check_members(call, call.getArgOperand(0))) {
    return;
  }
  Value *source = vector(call.getArgOperand(1)), *b = call.getArgOperand(2), *c = call.getArgOperand(3);
  Value *moved, *in_range;
  auto *constant_b = dyn_cast<ConstantInt>(b), *constant_c = dyn_cast<ConstantInt>(c);
  if (constant_b != nullptr && constant_c != nullptr) {
    SmallVector<int, kWarpSize> lanes;
    SmallVector<Constant *, kWarpSize> predicates;
    for (unsigned lane = 0; lane < kWarpSize; lane++) {
      ShuffleLane from = shuffle_source(mode, lane, constant_b->getZExtValue(), constant_c->getZExtValue());
      lanes.push_back(static_cast<int>(from.lane));
      predicates.push_back(builder_.getInt1(from.in_range));
    }
    moved = builder_.CreateShuffleVector(source, lanes);
    in_range = ConstantVector::get(predicates);
  } else {
    Type *i32 = builder_.getInt32Ty();
    auto number = [&](unsigned n) { return ConstantInt::get(VectorType::get(i32, kWarpSize, false), n); };
    Value *lane = lane_numbers(i32, 1);
    Value *bval = builder_.CreateAnd(vector(b), number(31)), *cval = builder_.CreateAnd(vector(c), number(31));
    Value *segment = builder_.CreateAnd(builder_.CreateLShr(vector(c), number(8)), number(31));
    Value *outside = builder_.CreateNot(segment);
    Value *min_lane = builder_.CreateAnd(lane, segment);
    Value *max_lane = builder_.CreateOr(min_lane, builder_.CreateAnd(cval, outside));
    Value *j = mode == HlShflUp     ? builder_.CreateSub(lane, bval)
               : mode == HlShflDown ? builder_.CreateAdd(lane, bval)
               : mode == HlShflBfly ? builder_.CreateXor(lane, bval)
                                    : builder_.CreateOr(min_lane, builder_.CreateAnd(bval, outside));
    in_range = mode == HlShflUp ? builder_.CreateICmpSGE(j, max_lane) : builder_.CreateICmpSLE(j, max_lane);
    Value *from = builder_.CreateAnd(builder_.CreateSelect(in_range, j, lane), number(31));
    moved = permute(source, builder_.CreateFreeze(from));
  }
  if (!with_predicate) {
    return define(call, moved);
  }
  Value *both = builder_.CreateInsertValue(PoisonValue::get(wide_type(call.getType())), moved, 0);
  define(call, builder_.CreateInsertValue(both, in_range, 1));
}

bool Widener::emit_warp_function(CallBase &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  switch (id) {
    case Intrinsic::nvvm_activemask:
      define(call, mask_bits(mask_));
      return true;
    case Intrinsic::nvvm_bar_warp_sync:
      // Lanes are in step; memory operations stay in program order.
      check_members(call, call.getArgOperand(0));
      return true;
    case Intrinsic::nvvm_shfl_sync_up_i32:
    case Intrinsic::nvvm_shfl_sync_up_f32:
      emit_shuffle(call, HlShflUp, false);
      return true;
    case Intrinsic::nvvm_shfl_sync_down_i32:
    case Intrinsic::nvvm_shfl_sync_down_f32:
      emit_shuffle(call, HlShflDown, false);
      return true;
    case Intrinsic::nvvm_shfl_sync_bfly_i32:
    case Intrinsic::nvvm_shfl_sync_bfly_f32:
      emit_shuffle(call, HlShflBfly, false);
      return true;
    case Intrinsic::nvvm_shfl_sync_idx_i32:
    case Intrinsic::nvvm_shfl_sync_idx_f32:
      emit_shuffle(call, HlShflIdx, false);
      return true;
    case Intrinsic::nvvm_shfl_sync_up_i32p:
    case Intrinsic::nvvm_shfl_sync_up_f32p:
      emit_shuffle(call, HlShflUp, true);
      return true;
    case Intrinsic::nvvm_shfl_sync_down_i32p:
    case Intrinsic::nvvm_shfl_sync_down_f32p:
      emit_shuffle(call, HlShflDown, true);
      return true;
    case Intrinsic::nvvm_shfl_sync_bfly_i32p:
    case Intrinsic::nvvm_shfl_sync_bfly_f32p:
      emit_shuffle(call, HlShflBfly, true);
      return true;
    case Intrinsic::nvvm_shfl_sync_idx_i32p:
    case Intrinsic::nvvm_shfl_sync_idx_f32p:
      emit_shuffle(call, HlShflIdx, true);
      return true;
    case Intrinsic::nvvm_vote_ballot_sync:
    case Intrinsic::nvvm_vote_any_sync:
    case Intrinsic::nvvm_vote_all_sync:
    case Intrinsic::nvvm_vote_uni_sync:
      if (check_members(call, call.getArgOperand(0))) {
        emit_vote(call);
      }
      return true;
    case Intrinsic::nvvm_match_any_sync_i32:
    case Intrinsic::nvvm_match_any_sync_i64:
    case Intrinsic::nvvm_match_all_sync_i32p:
    case Intrinsic::nvvm_match_all_sync_i64p:
      if (check_members(call, call.getArgOperand(0))) {
        emit_match(call);
      }
      return true;
    case Intrinsic::nvvm_redux_sync_add:
    case Intrinsic::nvvm_redux_sync_and:
    case Intrinsic::nvvm_redux_sync_or:
    case Intrinsic::nvvm_redux_sync_xor:
    case Intrinsic::nvvm_redux_sync_min:
    case Intrinsic::nvvm_redux_sync_max:
    case Intrinsic::nvvm_redux_sync_umin:
    case Intrinsic::nvvm_redux_sync_umax:
      if (check_members(call, call.getArgOperand(1))) {
        emit_redux(call);
      }
      return true;
    default:
      return false;
  }
}

/// The lanes here that a lane names: one number where all name the same, else one for each.
Value *Widener::members_here(Value *members) {
  if (shape_of(members).is_uniform()) {
    return builder_.CreateAnd(scalar(members), mask_bits(mask_));
  }
  return builder_.CreateAnd(vector(members), builder_.CreateVectorSplat(kWarpSize, mask_bits(mask_)));
}

void Widener::emit_vote(CallBase &call) {
  Value *here = members_here(call.getArgOperand(0));
  Value *truths = mask_bits(builder_.CreateSelect(mask_, vector(call.getArgOperand(1)),
                                                  Constant::getNullValue(mask_->getType())));
  if (here->getType()->isVectorTy()) {
    truths = builder_.CreateVectorSplat(kWarpSize, truths);
  }
  Value *yes = builder_.CreateAnd(truths, here);
  switch (call.getIntrinsicID()) {
    case Intrinsic::nvvm_vote_ballot_sync:
      return define(call, yes);
    case Intrinsic::nvvm_vote_any_sync:
      return define(call, builder_.CreateIsNotNull(yes));
    case Intrinsic::nvvm_vote_all_sync:
      return define(call, builder_.CreateICmpEQ(yes, here));
    default:
      return define(call, builder_.CreateOr(builder_.CreateIsNull(yes), builder_.CreateICmpEQ(yes, here)));
  }
}

/// Which of the lanes that a lane names hold what it holds; or whether all do.
void Widener::emit_match(CallBase &call) {
  Type *i32 = builder_.getInt32Ty(), *type = wide_type(i32);
  Value *values = vector(call.getArgOperand(1));
  Type *element = values->getType()->getScalarType();
  AllocaInst *table = lane_table(element, "values"), *result = lane_table(i32, "matches");
  builder_.CreateStore(values, table);
  for_each_lane(mask_, [&](Value *lane) {
    Value *own = builder_.CreateLoad(element, builder_.CreateGEP(element, table, lane));
    Value *same =
        mask_bits(builder_.CreateFreeze(builder_.CreateICmpEQ(values, builder_.CreateVectorSplat(kWarpSize, own))));
    builder_.CreateStore(same, builder_.CreateGEP(i32, result, lane));
  });
  Value *here = members_here(call.getArgOperand(0));
  if (!here->getType()->isVectorTy()) {
    here = builder_.CreateVectorSplat(kWarpSize, here);
  }
  Value *same = builder_.CreateAnd(builder_.CreateLoad(type, result), here);
  if (!call.getType()->isStructTy()) {
    return define(call, same);
  }
  Value *all = builder_.CreateICmpEQ(same, here);
  Value *lanes = builder_.CreateSelect(all, here, Constant::getNullValue(type));
  Value *both = builder_.CreateInsertValue(PoisonValue::get(wide_type(call.getType())), lanes, 0);
  define(call, builder_.CreateInsertValue(both, all, 1));
}

void Widener::emit_redux(CallBase &call) {
  const Reduction reduction = reduction_of(call.getIntrinsicID());
  Value *source = vector(call.getArgOperand(0)), *members = call.getArgOperand(1);
  auto reduce = [&](Value *mask) {
    Value *present = builder_.CreateSelect(mask, source, ConstantInt::get(source->getType(), reduction.identity));
    return builder_.CreateUnaryIntrinsic(reduction.id, present);
  };
  if (shape_of(members).is_uniform()) {
    return define(call, reduce(mask_));
  }
  Type *i32 = builder_.getInt32Ty();
  AllocaInst *named = lane_table(i32, "members"), *results = lane_table(i32, "reduced");
  builder_.CreateStore(members_here(members), named);
  for_each_lane(mask_, [&](Value *lane) {
    Value *group = builder_.CreateLoad(i32, builder_.CreateGEP(i32, named, lane));
    builder_.CreateStore(reduce(builder_.CreateBitCast(group, mask_->getType())), builder_.CreateGEP(i32, results, lane));
  });
  define(call, builder_.CreateLoad(VectorType::get(i32, kWarpSize, false), results));
}

}  // namespace hel::cc

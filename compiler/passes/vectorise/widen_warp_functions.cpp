// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions: shuffles, votes, matches and reductions of the lanes that are here.
#include "compiler/passes/lower/permute_in_registers.h"
#include "compiler/passes/vectorise/widener.h"

#include "abi/engine.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace hel::cc {

using namespace llvm;

namespace {

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

/// lanes[i] is the lane whose value lane i gets.
Value *Widener::permute(Value *source, Value *lanes) {
  Value *bits = builder_.CreateBitCast(source, wide_type(builder_.getInt32Ty()));
  return builder_.CreateBitCast(builder_.CreateCall(&permute_function(*kernel_.getParent()), {bits, lanes}),
                                source->getType());
}

/// What one lane holds.
Value *Widener::from_lane(Value *source, Value *lane) {
  lane = builder_.CreateAnd(lane, kWarpSize - 1);
  if (isa<Constant>(lane)) {
    return builder_.CreateExtractElement(source, lane);
  }
  Value *lanes = builder_.CreateVectorSplat(kWarpSize, builder_.CreateFreeze(lane));
  return builder_.CreateExtractElement(permute(source, lanes), uint64_t{0});
}

void Widener::emit_shuffle(CallBase &call, unsigned mode, bool with_predicate) {
  if (!check_members(call, call.getArgOperand(0))) {
    return;
  }
  Value *source = vector(call.getArgOperand(1)), *b = call.getArgOperand(2), *c = call.getArgOperand(3);
  if (shape_of(&call).is_uniform()) {
    return define(call, builder_.CreateFreeze(from_lane(source, scalar(b))));
  }
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
    case Intrinsic::nvvm_elect_sync:
      if (check_members(call, call.getArgOperand(0))) {
        emit_election(call);
      }
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

/// The lowest lane that is named.
void Widener::emit_election(CallBase &call) {
  Type *i32 = builder_.getInt32Ty();
  Value *members = call.getArgOperand(0);
  Value *elected =
      shape_of(members).is_uniform()
          ? builder_.CreateVectorSplat(
                kWarpSize, builder_.CreateBinaryIntrinsic(Intrinsic::cttz, scalar(members), builder_.getFalse()))
          : builder_.CreateBinaryIntrinsic(Intrinsic::cttz, vector(members), builder_.getFalse());
  Value *both = builder_.CreateInsertValue(PoisonValue::get(wide_type(call.getType())), elected, 0);
  define(call, builder_.CreateInsertValue(both, builder_.CreateICmpEQ(elected, lane_numbers(i32, 1)), 1));
}

void Widener::emit_vote(CallBase &call) {
  Value *here = members_here(call.getArgOperand(0));
  Value *truths =
      mask_bits(builder_.CreateSelect(mask_, vector(call.getArgOperand(1)), Constant::getNullValue(mask_->getType())));
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
    builder_.CreateStore(reduce(builder_.CreateBitCast(group, mask_->getType())),
                         builder_.CreateGEP(i32, results, lane));
  });
  define(call, builder_.CreateLoad(VectorType::get(i32, kWarpSize, false), results));
}

}  // namespace hel::cc

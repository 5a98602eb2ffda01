// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: one for all lanes where they name one place, plain reads and writes in shared memory, else lane after lane.
//
// Counting (results unread, an index for each lane) in shared memory goes one of three ways:
//
//   many lanes name one place        for each such place once, with the operands of its lanes brought together
//   else, most lanes are here        each lane in turn, its place from a register; absent lanes have places of their
//   own else                             a loop over the lanes that are here
//
// The first is for skewed data, where each addition at a place waits for the one before. In the second no index is read
// from memory between writes of counters: a processor that does not guess past writes to places it does not know yet
// would wait for each counter before it gets at the next index.
#include "compiler/passes/vectorise/split_phases.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

#include <utility>

namespace hel::cc {

using namespace llvm;

namespace {

/// What the lanes' operands come to, in one operand: of lanes that are not there, `identity`.
struct Reduction {
  Intrinsic::ID intrinsic = Intrinsic::not_intrinsic;
  Constant *identity = nullptr;
};

Reduction reduction_of(AtomicRMWInst::BinOp operation, Type *type) {
  unsigned bits = type->getScalarSizeInBits();
  auto number = [&](const APInt &value) { return ConstantInt::get(type, value); };
  switch (operation) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return {Intrinsic::vector_reduce_add, number(APInt::getZero(bits))};
    case AtomicRMWInst::Or:
      return {Intrinsic::vector_reduce_or, number(APInt::getZero(bits))};
    case AtomicRMWInst::Xor:
      return {Intrinsic::vector_reduce_xor, number(APInt::getZero(bits))};
    case AtomicRMWInst::And:
      return {Intrinsic::vector_reduce_and, number(APInt::getAllOnes(bits))};
    case AtomicRMWInst::Max:
      return {Intrinsic::vector_reduce_smax, number(APInt::getSignedMinValue(bits))};
    case AtomicRMWInst::Min:
      return {Intrinsic::vector_reduce_smin, number(APInt::getSignedMaxValue(bits))};
    case AtomicRMWInst::UMax:
      return {Intrinsic::vector_reduce_umax, number(APInt::getZero(bits))};
    case AtomicRMWInst::UMin:
      return {Intrinsic::vector_reduce_umin, number(APInt::getAllOnes(bits))};
    case AtomicRMWInst::FAdd:
      return type->isFloatTy() || type->isDoubleTy()
                 ? Reduction{Intrinsic::vector_reduce_fadd, ConstantFP::getNegativeZero(type)}
                 : Reduction{};
    default:
      return {};
  }
}

/// Whether operations at one place may be one of them all, bit by bit the same.
bool can_be_joined(const AtomicRMWInst &rmw) {
  return rmw.use_empty() && !rmw.isVolatile() && rmw.getType()->isIntegerTy() &&
         reduction_of(rmw.getOperation(), rmw.getType()).identity != nullptr;
}

constexpr unsigned kMany = 12;  ///< lanes, from which on places for the absent ones are better than a loop
/// At a place that more lanes than these name, one operation for all is better than one for each: the second costs a
/// few cycles in shared memory and about twenty elsewhere.
constexpr unsigned kFewInShared = 12, kFewElsewhere = 1;

}  // namespace

void Widener::emit_atomic(Instruction &inst) {
  auto *rmw = dyn_cast<AtomicRMWInst>(&inst);
  bool in_shared = is_in_shared_memory(inst.getOperand(0), dl_);
  if (rmw != nullptr && !rmw->isVolatile() && shape_of(rmw->getPointerOperand()).is_uniform() &&
      reduction_of(rmw->getOperation(), rmw->getType()).identity != nullptr) {
    bool sum = rmw->getOperation() == AtomicRMWInst::Add || rmw->getOperation() == AtomicRMWInst::Sub;
    if (rmw->use_empty() || sum) {
      return emit_one_atomic(*rmw, in_shared);
    }
  }
  if (in_shared && !inst.isVolatile()) {
    return emit_shared_atomic(inst);
  }
  if (rmw != nullptr && can_be_joined(*rmw) && !little_code_) {
    if (std::optional<LanePlaces> places = places_by_index(rmw->getPointerOperand())) {
      join_alike(*rmw, *places, kFewElsewhere, [&] { lane_by_lane(inst, Lane::Small); });
      return;
    }
  }
  emit_lane_by_lane(inst, Lane::Small);
}

/// A block never leaves its worker thread, and nobody else has access to its shared memory: plain reads and writes do.
void Widener::emit_shared_atomic(Instruction &inst) {
  std::optional<LanePlaces> places = places_by_index(inst.getOperand(0));
  if (!places) {
    auto [start, distances] = shared_place(inst.getOperand(0));
    places = LanePlaces{start, distances, true, 1};
  }
  size_t before = scalar_copies_.size();
  auto *rmw = dyn_cast<AtomicRMWInst>(&inst);
  if (rmw != nullptr && rmw->use_empty() && !little_code_) {
    emit_counting(*rmw, *places);
  } else if (Value *result = atomic_lane_by_lane(inst, *places, Lane::Fast)) {
    define(inst, result);
  }
  plain_.append(scalar_copies_.begin() + before, scalar_copies_.end());
}

/// As lane_by_lane(), with the places worked out in the lanes' code.
Value *Widener::atomic_lane_by_lane(Instruction &inst, const LanePlaces &places, Lane manner) {
  AllocaInst *keys = lane_table(places.keys->getType()->getScalarType(), "lane.key");
  builder_.CreateStore(places.keys, keys);
  return lane_by_lane(inst, manner, [&](Instruction &copy, Value *lane) {
    Type *type = places.keys->getType()->getScalarType();
    copy.setOperand(0, place_of(places, builder_.CreateLoad(type, builder_.CreateGEP(type, keys, lane))));
  });
}

/// In shared memory; nobody reads the results.
void Widener::emit_counting(AtomicRMWInst &rmw, LanePlaces places) {
  bool all = is_all_ones(mask_), one_value = shape_of(rmw.getValOperand()).is_uniform();
  Value *operand = one_value ? scalar(rmw.getValOperand()) : vector(rmw.getValOperand());
  auto each_in_turn = [&] {
    Value *pointers =
        all ? nullptr : builder_.CreateSelect(mask_, place_of(places, places.keys), unread_places(rmw.getType()));
    for (unsigned lane = 0; lane < kWarpSize; lane++) {
      Instruction *copy = rmw.clone();
      copy->setOperand(0, all ? place_of(places, builder_.CreateExtractElement(places.keys, lane))
                              : builder_.CreateExtractElement(pointers, lane));
      copy->setOperand(1, one_value ? operand : builder_.CreateExtractElement(operand, lane));
      scalar_copies_.push_back(builder_.Insert(copy));
    }
  };
  auto apart = [&] {
    if (all) {
      return each_in_turn();
    }
    Value *here = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, mask_bits(mask_));
    one_of_two_ways(builder_.CreateICmpUGT(here, builder_.getInt32(kMany)), each_in_turn,
                    [&] { atomic_lane_by_lane(rmw, places, Lane::Small); });
  };
  if (can_be_joined(rmw)) {
    join_alike(rmw, places, kFewInShared, apart);
  } else {
    apart();
  }
}

/// `apart`, or place by place where more than `few` active lanes name the place of the first one.
void Widener::join_alike(AtomicRMWInst &rmw, LanePlaces places, unsigned few, function_ref<void()> apart) {
  vector(rmw.getValOperand());
  places.keys = builder_.CreateFreeze(places.keys);
  Value *bits = mask_bits(mask_), *first = builder_.getInt32(0);
  if (!is_all_ones(mask_)) {
    first = builder_.CreateBinaryIntrinsic(Intrinsic::cttz, bits, builder_.getFalse());
    first = builder_.CreateAnd(first, builder_.getInt32(kWarpSize - 1));
  }
  Value *named = lanes_with(builder_.CreateExtractElement(places.keys, first), places, bits);
  Value *alike = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, named);
  one_of_two_ways(builder_.CreateICmpULE(alike, builder_.getInt32(few)), apart,
                  [&] { place_by_place(rmw, places, few); });
}

/// Those of `lanes`, a bit each, that have `key`.
Value *Widener::lanes_with(Value *key, const LanePlaces &places, Value *lanes) {
  Value *equal = builder_.CreateICmpEQ(places.keys, builder_.CreateVectorSplat(kWarpSize, key));
  return builder_.CreateAnd(mask_bits(equal), lanes);
}

/// One operation for each place, up to one that few lanes name: what is left then goes lane by lane. Some lane is here.
void Widener::place_by_place(AtomicRMWInst &rmw, const LanePlaces &places, unsigned few) {
  Type *i32 = builder_.getInt32Ty(), *key_type = places.keys->getType()->getScalarType();
  AllocaInst *table = lane_table(key_type, "lane.key");
  builder_.CreateStore(places.keys, table);
  Value *bits = mask_bits(mask_);
  BasicBlock *before = builder_.GetInsertBlock(), *loop = BasicBlock::Create(context_, "place", &body_),
             *done = BasicBlock::Create(context_, "places.done", &body_);
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  PHINode *left = builder_.CreatePHI(i32, 2, "lanes.left");
  left->addIncoming(bits, before);
  Value *lane = builder_.CreateIntrinsic(Intrinsic::cttz, {i32}, {left, builder_.getTrue()}, {}, "lane");
  Value *key = builder_.CreateLoad(key_type, builder_.CreateGEP(key_type, table, lane));
  Value *named = lanes_with(key, places, left);
  Instruction *one = rmw.clone();
  one->setOperand(0, place_of(places, key));
  one->setOperand(1, joined_operands(rmw, builder_.CreateBitCast(named, mask_->getType())).total);
  scalar_copies_.push_back(builder_.Insert(one));
  Value *rest = builder_.CreateAnd(left, builder_.CreateNot(named));
  left->addIncoming(rest, loop);
  Value *many = builder_.CreateICmpUGT(builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, named), builder_.getInt32(few));
  Value *more = builder_.CreateICmpNE(rest, builder_.getInt32(0));
  auto *latch = builder_.CreateCondBr(builder_.CreateAnd(many, more), loop, done);
  set_loop_hint(*latch, {MDString::get(context_, "llvm.loop.unroll.disable")});
  builder_.SetInsertPoint(done);
  Value *all = std::exchange(mask_, builder_.CreateBitCast(rest, mask_->getType()));
  atomic_lane_by_lane(rmw, places, Lane::Small);
  mask_ = all;
}

/// The operands of the lanes in `mask`, brought together.
Widener::Joined Widener::joined_operands(AtomicRMWInst &rmw, Value *mask) {
  Reduction reduction = reduction_of(rmw.getOperation(), rmw.getType());
  Type *type = rmw.getType();
  Value *operand = rmw.getValOperand();
  if (shape_of(operand).is_uniform() && reduction.intrinsic == Intrinsic::vector_reduce_add) {
    Value *count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, mask_bits(mask));
    return {builder_.CreateMul(builder_.CreateZExtOrTrunc(count, type), scalar(operand)), nullptr};
  }
  Value *nothing = ConstantVector::getSplat(ElementCount::getFixed(kWarpSize), reduction.identity);
  Value *present = builder_.CreateSelect(mask, vector(operand), nothing);
  if (reduction.intrinsic != Intrinsic::vector_reduce_fadd) {
    return {builder_.CreateUnaryIntrinsic(reduction.intrinsic, present), present};
  }
  Value *total = builder_.CreateFAddReduce(reduction.identity, present);
  FastMathFlags any_order;
  any_order.setAllowReassoc();
  cast<Instruction>(total)->setFastMathFlags(any_order);
  return {total, present};
}

/// All lanes name one place: their operands are brought together first. The lanes come by in the order of their
/// numbers.
void Widener::emit_one_atomic(AtomicRMWInst &rmw, bool in_shared) {
  Type *type = rmw.getType();
  auto [total, present] = joined_operands(rmw, mask_);
  AtomicRMWInst *one = builder_.CreateAtomicRMW(rmw.getOperation(), scalar(rmw.getPointerOperand()), total,
                                                rmw.getAlign(), rmw.getOrdering(), rmw.getSyncScopeID());
  if (!rmw.use_empty()) {
    Value *before = present == nullptr ? builder_.CreateMul(lanes_before(type), vector(rmw.getValOperand()))
                                       : sum_of_lanes_before(present);
    Value *old = builder_.CreateVectorSplat(kWarpSize, one);
    define(rmw, rmw.getOperation() == AtomicRMWInst::Add ? builder_.CreateAdd(old, before)
                                                         : builder_.CreateSub(old, before));
  }
  if (in_shared) {
    plain_.push_back(one);
  }
}

/// How many active lanes have lower numbers.
Value *Widener::lanes_before(Type *type) {
  Type *i32 = builder_.getInt32Ty();
  SmallVector<Constant *, kWarpSize> lower;
  for (unsigned lane = 0; lane < kWarpSize; lane++) {
    lower.push_back(ConstantInt::get(i32, (1u << lane) - 1));
  }
  Value *bits = builder_.CreateVectorSplat(kWarpSize, mask_bits(mask_));
  Value *count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, builder_.CreateAnd(bits, ConstantVector::get(lower)));
  return builder_.CreateZExtOrTrunc(count, wide_type(type));
}

/// The sum of what lower lanes hold.
Value *Widener::sum_of_lanes_before(Value *values) {
  Value *zeros = Constant::getNullValue(values->getType()), *sum = values;
  auto from_below = [&](Value *source, unsigned distance) {
    SmallVector<int, kWarpSize> lanes;
    for (unsigned lane = 0; lane < kWarpSize; lane++) {
      lanes.push_back(static_cast<int>(lane < distance ? kWarpSize + lane : lane - distance));
    }
    return builder_.CreateShuffleVector(source, zeros, lanes);
  };
  for (unsigned distance = 1; distance < kWarpSize; distance *= 2) {
    sum = builder_.CreateAdd(sum, from_below(sum, distance));
  }
  return from_below(sum, 1);
}

void Widener::make_shared_atomics_plain() {
  if (!plain_.empty()) {
    body_.addFnAttr(kSharedAtomics);
  }
  for (Instruction *inst : plain_) {
    if (auto *rmw = dyn_cast<AtomicRMWInst>(inst)) {
      lowerAtomicRMWInst(rmw);
    } else {
      lowerAtomicCmpXchgInst(cast<AtomicCmpXchgInst>(inst));
    }
  }
}

}  // namespace hel::cc

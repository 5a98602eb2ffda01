// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics: one for all lanes where they name one place, plain reads and writes in shared memory, else lane after lane.
#include "compiler/passes/vectorise/split_phases.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

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
  emit_lane_by_lane(inst, Lane::Small);
}

/// A block never leaves its worker thread, and nobody else has access to its shared memory: plain reads and writes do.
void Widener::emit_shared_atomic(Instruction &inst) {
  auto [start, offsets] = shared_place(inst.getOperand(0));
  AllocaInst *table = lane_table(builder_.getInt32Ty(), "lane.offset");
  builder_.CreateStore(offsets, table);
  size_t before = scalar_copies_.size();
  Value *result = lane_by_lane(inst, Lane::Fast, [&](Instruction &copy, Value *lane) {
    Value *offset = builder_.CreateLoad(builder_.getInt32Ty(), builder_.CreateGEP(builder_.getInt32Ty(), table, lane));
    copy.setOperand(
        0, builder_.CreateGEP(builder_.getInt8Ty(), start, builder_.CreateSExt(offset, builder_.getInt64Ty())));
  });
  if (result != nullptr) {
    define(inst, result);
  }
  plain_.append(scalar_copies_.begin() + before, scalar_copies_.end());
}

/// All lanes name one place: their operands are brought together first. The lanes come by in the order of their
/// numbers.
void Widener::emit_one_atomic(AtomicRMWInst &rmw, bool in_shared) {
  Reduction reduction = reduction_of(rmw.getOperation(), rmw.getType());
  Type *type = rmw.getType();
  Value *operand = rmw.getValOperand(), *total;
  bool one_value = shape_of(operand).is_uniform() && reduction.intrinsic == Intrinsic::vector_reduce_add;
  Value *present = nullptr;
  if (one_value) {
    Value *count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, mask_bits(mask_));
    total = builder_.CreateMul(builder_.CreateZExtOrTrunc(count, type), scalar(operand));
  } else {
    Value *nothing = ConstantVector::getSplat(ElementCount::getFixed(kWarpSize), reduction.identity);
    present = builder_.CreateSelect(mask_, vector(operand), nothing);
    if (reduction.intrinsic == Intrinsic::vector_reduce_fadd) {
      total = builder_.CreateFAddReduce(reduction.identity, present);
      FastMathFlags any_order;
      any_order.setAllowReassoc();
      cast<Instruction>(total)->setFastMathFlags(any_order);
    } else {
      total = builder_.CreateUnaryIntrinsic(reduction.intrinsic, present);
    }
  }
  AtomicRMWInst *one = builder_.CreateAtomicRMW(rmw.getOperation(), scalar(rmw.getPointerOperand()), total,
                                                rmw.getAlign(), rmw.getOrdering(), rmw.getSyncScopeID());
  if (!rmw.use_empty()) {
    Value *before = one_value ? builder_.CreateMul(lanes_before(type), vector(operand)) : sum_of_lanes_before(present);
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

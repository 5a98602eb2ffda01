// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that step by a constant: only their bases are computed, the vector where it is asked for. What holds for the
// lanes that are there need not hold for the lane of the base, so that no promise of the kernel's code is kept.
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace hel::cc {

using namespace llvm;

Value *Widener::base(Value *value, unsigned row) {
  const Wide &w = wide(value);
  if (w.bases.size() > 1 || row == 0 || w.shape.stride == 0) {
    return w.bases[w.bases.size() > 1 ? row : 0];
  }
  int64_t distance = w.shape.stride * row * (kWarpSize / row_count());
  Value *first = w.bases[0];
  if (first->getType()->isPointerTy()) {
    return builder_.CreateGEP(builder_.getInt8Ty(), first, builder_.getInt64(distance));
  }
  return builder_.CreateAdd(first, ConstantInt::getSigned(first->getType(), distance, /*ImplicitTrunc=*/true));
}

/// `i % 32` in one of its forms, of lanes that count from a multiple of 32.
static bool is_lane_number(const Instruction &inst, const Shape &shape) {
  bool remainder = inst.getOpcode() == Instruction::And || inst.getOpcode() == Instruction::URem ||
                   inst.getOpcode() == Instruction::SRem;
  return remainder && shape.kind == Shape::Affine && shape.stride == 1;
}

/// Linear in the lane: the same operation on the operands' bases gives the result's.
Widener::Values Widener::linear_bases(Instruction &inst) {
  if (is_lane_number(inst, shape_of(&inst))) {
    return {Constant::getNullValue(inst.getType())};
  }
  Values bases;
  for (unsigned row = 0; row < base_count(shape_of(&inst)); row++) {
    if (inst.getOpcode() == Instruction::Or && shape_of(&inst).stride != 0) {
      // Disjoint in the lanes that are there.
      bases.push_back(builder_.CreateAdd(base(inst.getOperand(0), row), base(inst.getOperand(1), row)));
      continue;
    }
    auto *extension = dyn_cast<CastInst>(&inst);
    if (extension != nullptr && extends_sign(*extension, shape_of(inst.getOperand(0)))) {
      bases.push_back(builder_.CreateSExt(base(inst.getOperand(0), row), inst.getType(), inst.getName()));
      continue;
    }
    Instruction *copy = inst.clone();
    for (Use &operand : copy->operands()) {
      operand.set(base(operand.get(), row));
    }
    copy->dropPoisonGeneratingFlags();
    bases.push_back(builder_.Insert(copy, inst.getName()));
  }
  return bases;
}

/// A guarded value, in the block that uses it.
Widener::Wide Widener::remake(Instruction &inst) {
  Wide made;
  made.shape = shape_of(&inst);
  made.bases = linear_bases(inst);
  for (Value *operand : inst.operands()) {
    if (Value *holds = wide(operand).holds) {
      made.holds = made.holds == nullptr ? holds : builder_.CreateAnd(made.holds, holds);
    }
  }
  if (made.holds == nullptr) {
    made.holds = no_wrap(cast<CastInst>(inst), wide(inst.getOperand(0)).bases, shape_of(inst.getOperand(0)).stride);
  }
  return made;
}

/// From each base to the last lane that counts from it no step passes the end of the type's range.
Value *Widener::no_wrap(CastInst &extension, const Values &bases, int64_t stride) {
  bool is_signed = extends_sign(extension, shape_of(extension.getOperand(0)));
  auto *type = cast<IntegerType>(extension.getSrcTy());
  unsigned bits = type->getBitWidth();
  APInt span(bits, static_cast<uint64_t>(std::abs(stride)) * (kWarpSize / bases.size() - 1));
  APInt lowest = is_signed ? APInt::getSignedMinValue(bits) : APInt::getMinValue(bits);
  APInt highest = is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
  Value *holds = nullptr;
  for (Value *base : bases) {
    Value *inside = stride < 0 ? builder_.CreateICmp(is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, base,
                                                     builder_.getInt(lowest + span))
                               : builder_.CreateICmp(is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, base,
                                                     builder_.getInt(highest - span));
    holds = holds == nullptr ? inside : builder_.CreateAnd(holds, inside);
  }
  return holds;
}

/// All lanes of a linear value.
Value *Widener::spread(const Wide &wide, Type *type) {
  unsigned width = kWarpSize / wide.bases.size();
  Values pieces;
  for (Value *base : wide.bases) {
    pieces.push_back(builder_.CreateVectorSplat(width, base));
  }
  Value *all = concat(pieces);
  if (wide.shape.stride == 0) {
    return all;
  }
  Type *number = type->isPointerTy() ? builder_.getInt64Ty() : type;
  SmallVector<Constant *, kWarpSize> steps;
  for (unsigned lane = 0; lane < kWarpSize; lane++) {
    steps.push_back(ConstantInt::getSigned(number, lane % width * wide.shape.stride, /*ImplicitTrunc=*/true));
  }
  if (!type->isPointerTy()) {
    return builder_.CreateAdd(all, ConstantVector::get(steps));
  }
  return builder_.CreateGEP(builder_.getInt8Ty(), wide.bases.size() == 1 ? wide.bases[0] : all,
                            ConstantVector::get(steps));
}

Value *Widener::concat(ArrayRef<Value *> parts) {
  Values left(parts);
  while (left.size() > 1) {
    unsigned width = cast<FixedVectorType>(left[0]->getType())->getNumElements();
    SmallVector<int, kWarpSize> lanes;
    for (unsigned i = 0; i < 2 * width; i++) {
      lanes.push_back(static_cast<int>(i));
    }
    Values joined;
    for (size_t i = 0; i < left.size(); i += 2) {
      joined.push_back(builder_.CreateShuffleVector(left[i], left[i + 1], lanes));
    }
    left = joined;
  }
  return left[0];
}

Value *Widener::piece(Value *vector, unsigned part, unsigned parts) {
  unsigned width = cast<FixedVectorType>(vector->getType())->getNumElements() / parts;
  SmallVector<int, kWarpSize> lanes;
  for (unsigned i = 0; i < width; i++) {
    lanes.push_back(static_cast<int>(part * width + i));
  }
  return parts == 1 ? vector : builder_.CreateShuffleVector(vector, lanes);
}

Widener::Values Widener::either_of(Value *holds, function_ref<Values()> fast, function_ref<Values()> slow) {
  if (holds == nullptr) {
    return fast();
  }
  BasicBlock *ways[2] = {BasicBlock::Create(context_, "straight", &body_),
                         BasicBlock::Create(context_, "wraps", &body_)};
  BasicBlock *both = BasicBlock::Create(context_, "both", &body_);
  builder_.CreateCondBr(holds, ways[0], ways[1], MDBuilder(context_).createLikelyBranchWeights());
  Values results[2];
  for (int i = 0; i < 2; i++) {
    builder_.SetInsertPoint(ways[i]);
    const Way way(local_);
    results[i] = i == 0 ? fast() : slow();
    ways[i] = builder_.GetInsertBlock();
    builder_.CreateBr(both);
  }
  builder_.SetInsertPoint(both);
  Values merged;
  for (auto [straight, other] : zip(results[0], results[1])) {
    PHINode *value = straight == nullptr ? nullptr : builder_.CreatePHI(straight->getType(), 2);
    if (value != nullptr) {
      value->addIncoming(straight, ways[0]);
      value->addIncoming(other, ways[1]);
    }
    merged.push_back(value);
  }
  return merged;
}

Value *Widener::either(Value *holds, function_ref<Value *()> fast, function_ref<Value *()> slow) {
  return either_of(holds, [&] { return Values{fast()}; }, [&] { return Values{slow()}; })[0];
}

/// The same where no value comes of it.
void Widener::one_of_two_ways(Value *holds, function_ref<void()> fast, function_ref<void()> slow) {
  auto nothing = [](function_ref<void()> run) { return run(), Values(); };
  either_of(holds, [&] { return nothing(fast); }, [&] { return nothing(slow); });
}

}  // namespace hel::cc

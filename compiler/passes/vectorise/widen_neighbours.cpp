// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that no shape tells, yet mostly those of neighbours: indices that are clamped or wrap around at an edge
// (`min(x + 1, width - 1)`, `(x + width - 1) % width`). Whether the lanes stand side by side is looked at where they
// are used.
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hel::cc {

using namespace llvm;

namespace {

constexpr unsigned kDeepestLook = 10;

/// Steps of two values of which a lane has one or the other: a line, and what it is cut off at.
std::optional<int64_t> step_of_either(std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b || (*a != *b && *a != 0 && *b != 0)) {
    return std::nullopt;
  }
  return *a != 0 ? a : b;
}

}  // namespace

/// The step from lane to lane (in bytes, of pointers) wherever `value` is a straight line; none if it is not known to
/// have any stretches of one.
std::optional<int64_t> Widener::step_in_stretches(const Value *value, unsigned depth) const {
  Shape shape = shape_of(value);
  if (shape.is_uniform() || shape.is_linear()) {
    return shape.is_uniform() ? 0 : shape.stride;
  }
  const auto *inst = dyn_cast<Instruction>(value);
  if (inst == nullptr || depth == kDeepestLook) {
    return std::nullopt;
  }
  auto of = [&](unsigned operand) { return step_in_stretches(inst->getOperand(operand), depth + 1); };
  auto is_bent_by_uniform = [&] { return shape_of(inst->getOperand(1)).is_uniform(); };
  switch (inst->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub: {
      std::optional<int64_t> a = of(0), b = of(1);
      if (!a || !b) {
        return std::nullopt;
      }
      return inst->getOpcode() == Instruction::Add ? *a + *b : *a - *b;
    }
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::And:
    case Instruction::Xor:
      return is_bent_by_uniform() ? of(0) : std::nullopt;
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
      return of(0);
    case Instruction::Select:
      return step_of_either(of(1), of(2));
    case Instruction::PHI: {
      if (loops_.isLoopHeader(inst->getParent())) {
        return std::nullopt;
      }
      std::optional<int64_t> step = of(0);
      for (unsigned i = 1; i < inst->getNumOperands(); i++) {
        step = step_of_either(step, of(i));
      }
      return step;
    }
    case Instruction::GetElementPtr: {
      std::optional<int64_t> step = of(0);
      for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end && step; ++it) {
        std::optional<int64_t> index = step_in_stretches(it.getOperand(), depth + 1);
        if (!index) {
          return std::nullopt;
        }
        *step += it.isStruct() ? 0 : *index * static_cast<int64_t>(it.getSequentialElementStride(dl_).getFixedValue());
      }
      return step;
    }
    case Instruction::Call:
      return isa<MinMaxIntrinsic>(inst) ? step_of_either(of(0), of(1)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

bool Widener::may_be_neighbours(const Value *pointer, Type *element) const {
  return shape_of(pointer).kind == Shape::Varying &&
         step_in_stretches(pointer, 0) == static_cast<int64_t>(dl_.getTypeStoreSize(element));
}

/// The index of 32 bits that alone makes the difference between the lanes' addresses, in steps of `bytes`; else null.
CastInst *Widener::narrow_index(Value *pointer, uint64_t bytes) const {
  auto is_here = [&](Instruction *inst) { return inst != nullptr && inst->getParent() == order_->blocks()[index_]; };
  auto *gep = dyn_cast<GetElementPtrInst>(pointer);
  if (!is_here(gep) || gep->getNumIndices() != 1 || !shape_of(gep->getPointerOperand()).is_uniform() ||
      dl_.getTypeAllocSize(gep->getSourceElementType()) != bytes) {
    return nullptr;
  }
  auto *index = dyn_cast<CastInst>(gep->getOperand(1));
  bool is_extension = index != nullptr && (isa<SExtInst>(index) || isa<ZExtInst>(index));
  return is_extension && is_here(index) && index->getSrcTy()->isIntegerTy(32) ? index : nullptr;
}

/// The lanes that are here, of the warp or of each of its rows, access neighbours: from which place on, and whether it
/// is so.
Widener::Neighbours Widener::find_neighbours(Value *pointer, Type *element) {
  const uint64_t bytes = dl_.getTypeStoreSize(element);
  CastInst *narrow = narrow_index(pointer, bytes);
  Value *lanes = builder_.CreateFreeze(vector(narrow != nullptr ? narrow->getOperand(0) : pointer));
  Value *numbers = narrow != nullptr ? lanes : builder_.CreatePtrToInt(lanes, wide_type(builder_.getInt64Ty()));
  Neighbours found;
  Wide line;
  line.shape = Shape::affine(narrow != nullptr ? 1 : static_cast<int64_t>(bytes), false, false);
  for (unsigned row = 0; row < row_count(); row++) {
    const uint64_t lane = row * (kWarpSize / row_count());
    Value *first = builder_.CreateExtractElement(numbers, lane);
    line.bases.push_back(first);
    if (narrow != nullptr) {
      auto *gep = cast<GetElementPtrInst>(pointer);
      Value *index =
          builder_.CreateIntCast(first, narrow->getDestTy(), extends_sign(*narrow, shape_of(narrow->getOperand(0))));
      found.places.push_back(builder_.CreateGEP(gep->getSourceElementType(), scalar(gep->getPointerOperand()), index));
    } else {
      found.places.push_back(builder_.CreateExtractElement(lanes, lane));
    }
  }
  Value *elsewhere =
      builder_.CreateAnd(builder_.CreateICmpNE(numbers, spread(line, numbers->getType()->getScalarType())), mask_);
  found.holds = builder_.CreateICmpEQ(mask_bits(elsewhere), builder_.getInt32(0));
  if (narrow != nullptr) {
    found.holds = builder_.CreateAnd(found.holds, no_wrap(*narrow, line.bases, 1));
  }
  return found;
}

}  // namespace hel::cc

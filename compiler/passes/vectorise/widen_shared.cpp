// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses in the shared memory of the block and in local arrays: 32 bits from one start are enough for them.
#include "compiler/passes/vectorise/interleave_locals.h"
#include "compiler/passes/vectorise/widener.h"

#include "abi/block.h"
#include "compiler/ir/thread_state.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"

#include <cstddef>

namespace hel::cc {

using namespace llvm;

static bool is_inside(const Value *pointer, const DataLayout &dl, bool local_too) {
  SmallVector<const Value *, 8> work{pointer};
  SmallPtrSet<const Value *, 8> seen;
  while (!work.empty()) {
    const Value *at = work.pop_back_val();
    if (!seen.insert(at).second) {
      continue;
    }
    if (const auto *gep = dyn_cast<GEPOperator>(at)) {
      work.push_back(gep->getPointerOperand());
    } else if (const auto *phi = dyn_cast<PHINode>(at)) {
      work.append(phi->value_op_begin(), phi->value_op_end());
    } else if (const auto *select = dyn_cast<SelectInst>(at)) {
      work.append({select->getTrueValue(), select->getFalseValue()});
    } else if (const auto *local = dyn_cast<AllocaInst>(at)) {
      if (!local_too || !is_of_whole_warp(*local)) {
        return false;
      }
    } else if (const auto *load = dyn_cast<LoadInst>(at); load == nullptr || !is_shared_window(*load)) {
      return false;
    }
  }
  return true;
}

bool is_in_shared_memory(const Value *pointer, const DataLayout &dl) { return is_inside(pointer, dl, false); }
bool is_in_small_memory(const Value *pointer, const DataLayout &dl) { return is_inside(pointer, dl, true); }

/// `pointer` of each lane as one start and 32-bit distances.
std::pair<Value *, Value *> Widener::shared_place(Value *pointer) {
  Type *i32 = builder_.getInt32Ty(), *i64 = builder_.getInt64Ty();
  Value *offsets = Constant::getNullValue(wide_type(i32));
  auto *gep = dyn_cast<GetElementPtrInst>(pointer);
  // An address that is made where it is used is made by this function: it has no value to start from.
  auto is_made_here = [&](GetElementPtrInst *at) {
    return at != nullptr &&
           (shape_of(at).guarded || (at->getParent() == order_->blocks()[index_] && !shape_of(at).is_linear()));
  };
  for (; is_made_here(gep); gep = dyn_cast<GetElementPtrInst>(pointer)) {
    for (auto it = gep_type_begin(*gep), end = gep_type_end(*gep); it != end; ++it) {
      uint64_t step = it.isStruct() ? 0 : it.getSequentialElementStride(dl_).getFixedValue();
      Value *distance;
      if (StructType *record = it.getStructTypeOrNull()) {
        unsigned field = cast<ConstantInt>(it.getOperand())->getZExtValue();
        distance = builder_.getInt32(dl_.getStructLayout(record)->getElementOffset(field));
        distance = builder_.CreateVectorSplat(kWarpSize, distance);
      } else {
        Value *index = builder_.CreateSExtOrTrunc(vector(it.getOperand()), wide_type(i32));
        distance = builder_.CreateMul(index, ConstantInt::get(wide_type(i32), step, false, true));
      }
      offsets = builder_.CreateAdd(offsets, distance);
    }
    pointer = gep->getPointerOperand();
  }
  Shape shape = shape_of(pointer);
  if (shape.is_uniform()) {
    return {scalar(pointer), offsets};
  }
  if (shape.kind == Shape::Affine && !shape.guarded) {
    return {scalar(pointer), builder_.CreateAdd(lane_numbers(i32, shape.stride), offsets)};
  }
  Value *window;
  if (auto *local = dyn_cast<AllocaInst>(getUnderlyingObject(pointer, 0))) {
    window = scalar(local);
  } else {
    Value *place = builder_.CreateConstGEP1_64(builder_.getInt8Ty(), block_, offsetof(abi::BlockState, shared));
    window = builder_.CreateLoad(builder_.getPtrTy(), place, "shared");
  }
  Value *start = builder_.CreateVectorSplat(kWarpSize, builder_.CreatePtrToInt(window, i64));
  Value *from_start = builder_.CreateSub(builder_.CreatePtrToInt(vector(pointer), wide_type(i64)), start);
  return {window, builder_.CreateAdd(builder_.CreateTrunc(from_start, wide_type(i32)), offsets)};
}

/// The elements of one array by an index, which is extended from few bits.
std::optional<Widener::LanePlaces> Widener::places_by_index(Value *pointer) {
  const BasicBlock *block = order_->blocks()[index_];
  auto *gep = dyn_cast<GetElementPtrInst>(pointer);
  auto *extension = gep == nullptr ? nullptr : dyn_cast<CastInst>(gep->operands().end()[-1]);
  auto varies = [&](Value *value) { return shape_of(value).kind == Shape::Varying; };
  bool by_index = extension != nullptr && isa<ZExtInst, SExtInst>(extension) && gep->getParent() == block &&
                  extension->getParent() == block && varies(extension) && varies(extension->getOperand(0)) &&
                  memory_type(extension->getSrcTy()) == extension->getSrcTy() &&
                  all_of(drop_end(gep->operands()), [&](Value *value) { return shape_of(value).is_uniform(); });
  if (!by_index) {
    return {};
  }
  Instruction *start = gep->clone();
  for (Use &operand : drop_end(start->operands())) {
    operand.set(scalar(operand.get()));
  }
  start->setOperand(start->getNumOperands() - 1, Constant::getNullValue(extension->getType()));
  return LanePlaces{builder_.Insert(start), vector(extension->getOperand(0)), isa<SExtInst>(extension),
                    dl_.getTypeAllocSize(gep->getResultElementType()).getFixedValue()};
}

/// The place that a key names; of keys, a vector of places.
Value *Widener::place_of(const LanePlaces &places, Value *key) {
  Type *i64 = key->getType()->getWithNewType(builder_.getInt64Ty());
  Type *element = ArrayType::get(builder_.getInt8Ty(), places.step);
  return builder_.CreateGEP(element, places.start, builder_.CreateIntCast(key, i64, places.is_signed));
}

/// Places, one for each lane, that nobody reads.
Value *Widener::unread_places(Type *type) {
  AllocaInst *table = lane_table(memory_type(type), "lane.unread");
  return builder_.CreateGEP(memory_type(type), table, lane_numbers(builder_.getInt64Ty(), 1));
}

}  // namespace hel::cc

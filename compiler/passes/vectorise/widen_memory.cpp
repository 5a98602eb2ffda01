// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores by the shape of the address: uniform, contiguous, or anything.
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hel::cc {

using namespace llvm;

namespace {

bool can_be_element(Type *type) { return type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy(); }

}  // namespace

/// Each lane has a copy; copies stand one after the other.
void Widener::emit_alloca(AllocaInst &alloca) {
  if (!isa<ConstantInt>(alloca.getArraySize())) {
    return refuse("alloca of a size that is known only at run time");
  }
  IRBuilder<> at(prologue_, prologue_->begin());
  AllocaInst *copies = at.CreateAlloca(at.getInt8Ty(), at.getInt64(lane_bytes(alloca) * kWarpSize), alloca.getName());
  copies->setAlignment(std::max(alloca.getAlign(), Align(64)));
  Value *base = copies;
  if (alloca.getAddressSpace() != copies->getAddressSpace()) {
    base = builder_.CreateAddrSpaceCast(copies, alloca.getType());
  }
  arguments_[&alloca] = Wide{shape_of(&alloca), base, nullptr};
}

void Widener::emit_load(LoadInst &load) {
  Type *type = load.getType();
  Shape address = shape_of(load.getPointerOperand());
  if (!can_be_element(type)) {
    return refuse("load of an aggregate that differs between lanes");
  }
  if (load.isAtomic() || type->isIntegerTy(1)) {
    return emit_lane_by_lane(load, false);
  }
  Type *wide = wide_type(type);
  if (address.is_uniform()) {
    define(load, builder_.CreateVectorSplat(
                     kWarpSize, builder_.CreateAlignedLoad(type, scalar(load.getPointerOperand()), load.getAlign())));
    return;
  }
  int64_t size = static_cast<int64_t>(dl_.getTypeStoreSize(type));
  if (address.is_affine() && address.stride == size) {
    define(load, builder_.CreateMaskedLoad(wide, scalar(load.getPointerOperand()), load.getAlign(), mask_,
                                           PoisonValue::get(wide), load.getName()));
    return;
  }
  define(load, builder_.CreateMaskedGather(wide, vector(load.getPointerOperand()), load.getAlign(), mask_,
                                           PoisonValue::get(wide), load.getName()));
}

void Widener::emit_store(StoreInst &store) {
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  Shape address = shape_of(pointer);
  if (!can_be_element(value->getType())) {
    return refuse("store of an aggregate that differs between lanes");
  }
  if ((store.isAtomic() && !address.is_uniform()) || value->getType()->isIntegerTy(1)) {
    return emit_lane_by_lane(store, false);
  }
  if (address.is_uniform()) {
    // One of the active lanes wins; the highest does here.
    Value *stored;
    if (shape_of(value).is_uniform()) {
      stored = scalar(value);
    } else {
      Value *bits = mask_bits(mask_);
      Value *zeros = builder_.CreateIntrinsic(Intrinsic::ctlz, {bits->getType()}, {bits, builder_.getTrue()});
      stored = builder_.CreateExtractElement(vector(value), builder_.CreateSub(builder_.getInt32(31), zeros));
    }
    auto *copy = builder_.CreateAlignedStore(stored, scalar(pointer), store.getAlign(), store.isVolatile());
    copy->setAtomic(store.getOrdering(), store.getSyncScopeID());
    return;
  }
  Value *values = vector(value);
  int64_t size = static_cast<int64_t>(dl_.getTypeStoreSize(value->getType()));
  if (address.is_affine() && address.stride == size) {
    builder_.CreateMaskedStore(values, scalar(pointer), store.getAlign(), mask_);
    return;
  }
  builder_.CreateMaskedScatter(values, vector(pointer), store.getAlign(), mask_);
}

}  // namespace hel::cc

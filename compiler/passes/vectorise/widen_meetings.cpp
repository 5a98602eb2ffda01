// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where threads meet: a warp arrives at a barrier as a whole, and its warp functions are for the lanes that are there.
#include "compiler/ir/simt_ops.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace hel::cc {

using namespace llvm;

/// What all lanes that are here hold in `value`; where that is not known it is checked at run time.
Value *Widener::agreed(Value *value) {
  if (shape_of(value).is_uniform()) {
    return scalar(value);
  }
  Value *all = vector(value), *bits = mask_bits(mask_);
  Value *first = builder_.CreateExtractElement(
      all, builder_.CreateIntrinsic(Intrinsic::cttz, {bits->getType()}, {bits, builder_.getTrue()}), "agreed");
  Value *other = builder_.CreateICmpNE(all, builder_.CreateVectorSplat(kWarpSize, first));
  Value *differs = builder_.CreateIsNotNull(
      mask_bits(builder_.CreateSelect(mask_, other, Constant::getNullValue(mask_->getType()))));
  BasicBlock *wrong = BasicBlock::Create(context_, "differs", &body_),
             *right = BasicBlock::Create(context_, "agreed", &body_);
  builder_.CreateCondBr(differs, wrong, right);
  builder_.SetInsertPoint(wrong);
  FunctionCallee report =
      kernel_.getParent()->getOrInsertFunction("__hl_unsupported", builder_.getVoidTy(), builder_.getPtrTy());
  builder_.CreateCall(report, {builder_.CreateGlobalString("a barrier whose number differs between the lanes of a warp "
                                                           "(without HELICON_ENGINE=thread)")});
  builder_.CreateBr(right);
  builder_.SetInsertPoint(right);
  return first;
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
    arguments.push_back(agreed(argument));
  }
  uses_barrier_ = true;
  builder_.CreateCall(call.getCalledFunction(), arguments);
  return true;
}

/// A warp arrives as a whole: its other lanes have left the kernel.
bool Widener::emit_barrier(CallBase &call) {
  int reduction = -1;
  bool counted = false, waits = true;
  switch (call.getIntrinsicID()) {
    case Intrinsic::nvvm_barrier_cta_sync_all:
    case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
      break;
    case Intrinsic::nvvm_barrier_cta_sync_count:
    case Intrinsic::nvvm_barrier_cta_sync_aligned_count:
      counted = true;
      break;
    case Intrinsic::nvvm_barrier_cta_arrive_count:
    case Intrinsic::nvvm_barrier_cta_arrive_aligned_count:
      counted = true;
      waits = false;
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
  uses_barrier_ = true;
  Value *id = agreed(call.getArgOperand(0));
  Value *threads = counted ? agreed(call.getArgOperand(1)) : builder_.getInt32(0);
  Module &module = *kernel_.getParent();
  Type *i32 = builder_.getInt32Ty();
  if (reduction < 0) {
    FunctionCallee barrier =
        module.getOrInsertFunction(waits ? "__hl_barrier" : "__hl_barrier_arrive", builder_.getVoidTy(), i32, i32);
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

}  // namespace hel::cc

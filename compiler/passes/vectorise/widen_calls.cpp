// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: special registers, mathematics, and what has to run lane by lane.
#include "compiler/ir/simt_ops.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/lane_loops.h"
#include "compiler/passes/vectorise/widener.h"

#include "abi/block.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstddef>

namespace hel::cc {

using namespace llvm;

namespace {

bool is_ignored(const CallBase &call) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  return intrinsic != nullptr && (intrinsic->isAssumeLikeIntrinsic() || isa<DbgInfoIntrinsic>(intrinsic));
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
  const SimtOp *op = find_simt_op(*callee);
  if (op != nullptr && op->effect == Effect::Reads && shape_of(&call).is_uniform()) {
    return emit_uniform(call);  // a clock is read once for the warp
  }
  if (op != nullptr && op->effect == Effect::Pure) {
    return emit_lane_by_lane(call, Lane::Small);  // of its operands alone: what depends on the lane is special
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

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/lower/simt_code.h"

#include "abi/thread.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/thread_state.h"
#include "compiler/ir/variable_facts.h"

#include <cstddef>

namespace hel::cc {
namespace {

using llvm::CallInst;
using llvm::Value;
using Builder = llvm::IRBuilder<>;
using abi::LaunchState;
using abi::ThreadState;

#define HEL_FIELD(field) emit_field(b, offsetof(ThreadState, field), b.getInt32Ty(), #field)
#define HEL_LAUNCH(field) emit_launch_field(b, offsetof(LaunchState, field), b.getInt32Ty(), #field)

Value *zero(CallInst &call, Builder &b) { return llvm::Constant::getNullValue(call.getType()); }
Value *one(CallInst &call, Builder &b) { return llvm::ConstantInt::get(call.getType(), 1); }
Value *thirty_two(CallInst &call, Builder &b) { return llvm::ConstantInt::get(call.getType(), 32); }

Value *lanemask_eq(CallInst &call, Builder &b) {
  Value *lane = emit_field(b, offsetof(ThreadState, lane), b.getInt32Ty(), "lane", 32);
  return b.CreateShl(b.getInt32(1), lane);
}
Value *lanemask_lt(CallInst &call, Builder &b) { return b.CreateSub(lanemask_eq(call, b), b.getInt32(1)); }
Value *lanemask_ge(CallInst &call, Builder &b) { return b.CreateNeg(lanemask_eq(call, b)); }
Value *lanemask_le(CallInst &call, Builder &b) { return b.CreateOr(lanemask_eq(call, b), lanemask_lt(call, b)); }
Value *lanemask_gt(CallInst &call, Builder &b) { return b.CreateNot(lanemask_le(call, b)); }

Value *shared_bytes(CallInst &call, Builder &b) {
  return b.CreateAdd(HEL_LAUNCH(static_shared_bytes), HEL_LAUNCH(dynamic_shared_bytes));
}

Value *cluster_ctaid_x(CallInst &call, Builder &b) { return b.CreateURem(HEL_FIELD(ctaid.x), HEL_LAUNCH(cluster.x)); }
Value *cluster_ctaid_y(CallInst &call, Builder &b) { return b.CreateURem(HEL_FIELD(ctaid.y), HEL_LAUNCH(cluster.y)); }
Value *cluster_ctaid_z(CallInst &call, Builder &b) { return b.CreateURem(HEL_FIELD(ctaid.z), HEL_LAUNCH(cluster.z)); }
Value *clusterid_x(CallInst &call, Builder &b) { return b.CreateUDiv(HEL_FIELD(ctaid.x), HEL_LAUNCH(cluster.x)); }
Value *clusterid_y(CallInst &call, Builder &b) { return b.CreateUDiv(HEL_FIELD(ctaid.y), HEL_LAUNCH(cluster.y)); }
Value *clusterid_z(CallInst &call, Builder &b) { return b.CreateUDiv(HEL_FIELD(ctaid.z), HEL_LAUNCH(cluster.z)); }
Value *nclusterid_x(CallInst &call, Builder &b) { return b.CreateUDiv(HEL_FIELD(nctaid.x), HEL_LAUNCH(cluster.x)); }
Value *nclusterid_y(CallInst &call, Builder &b) { return b.CreateUDiv(HEL_FIELD(nctaid.y), HEL_LAUNCH(cluster.y)); }
Value *nclusterid_z(CallInst &call, Builder &b) { return b.CreateUDiv(HEL_FIELD(nctaid.z), HEL_LAUNCH(cluster.z)); }

Value *cluster_ctarank(CallInst &call, Builder &b) {
  Value *row = b.CreateMul(cluster_ctaid_z(call, b), HEL_LAUNCH(cluster.y));
  Value *plane = b.CreateMul(b.CreateAdd(row, cluster_ctaid_y(call, b)), HEL_LAUNCH(cluster.x));
  return b.CreateAdd(plane, cluster_ctaid_x(call, b));
}
Value *cluster_nctarank(CallInst &call, Builder &b) {
  return b.CreateMul(b.CreateMul(HEL_LAUNCH(cluster.x), HEL_LAUNCH(cluster.y)), HEL_LAUNCH(cluster.z));
}
Value *is_explicit_cluster(CallInst &call, Builder &b) {
  return b.CreateICmpUGT(cluster_nctarank(call, b), b.getInt32(1));
}

/// A block stays on one processor, so that only the compiler could reorder what its threads see of each other.
Value *fence_block(CallInst &call, Builder &b) {
  b.CreateFence(llvm::AtomicOrdering::AcquireRelease);
  return nullptr;
}
Value *fence_all(CallInst &call, Builder &b) {
  b.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  return nullptr;
}

/// The lowest lane of the mask is elected, once all have come.
Value *elect(CallInst &call, Builder &b) {
  Value *mask = call.getArgOperand(0);
  CallInst *meet = emit_engine_call(b, "__hl_warp_sync", b.getVoidTy(), {mask});
  meet->setConvergent();
  meet->getCalledFunction()->setConvergent();
  Value *leader = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask, b.getFalse());
  Value *lane = emit_field(b, offsetof(ThreadState, lane), b.getInt32Ty(), "lane", 32);
  Value *both = b.CreateInsertValue(llvm::PoisonValue::get(call.getType()), leader, 0);
  return b.CreateInsertValue(both, b.CreateICmpEQ(lane, leader), 1);
}

/// The engine knows where stacks and windows are: 0 elsewhere, 1 local, 2 shared, 3 parameters.
Value *space_of(CallInst &call, Builder &b) {
  CallInst *found = emit_engine_call(b, "__hl_space_of", b.getInt32Ty(), {call.getArgOperand(0)});
  found->setOnlyReadsMemory();
  return found;
}

/// The linker puts all constant variables of an image side by side.
Value *isspacep_const(CallInst &call, Builder &b) {
  llvm::Module &module = *call.getModule();
  auto bound = [&](const char *end) {
    std::string name = std::string(end) + kConstantSection;
    llvm::GlobalVariable *symbol = module.getNamedGlobal(name);
    if (!symbol) {
      symbol = new llvm::GlobalVariable(module, b.getInt8Ty(), true, llvm::GlobalValue::ExternalWeakLinkage, nullptr, name);
      symbol->setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
    return b.CreatePtrToInt(symbol, b.getInt64Ty());
  };
  Value *start = bound("__start_");
  Value *offset = b.CreateSub(b.CreatePtrToInt(call.getArgOperand(0), b.getInt64Ty()), start);
  return b.CreateICmpULT(offset, b.CreateSub(bound("__stop_"), start));
}
Value *isspacep_local(CallInst &call, Builder &b) { return b.CreateICmpEQ(space_of(call, b), b.getInt32(1)); }
/// The window of parameters lies in that of global memory (PTX ISA, isspacep; so on an H200).
Value *isspacep_global(CallInst &call, Builder &b) {
  Value *space = space_of(call, b);
  Value *there = b.CreateOr(b.CreateICmpEQ(space, b.getInt32(0)), b.CreateICmpEQ(space, b.getInt32(3)));
  return b.CreateAnd(there, b.CreateNot(isspacep_const(call, b)));
}
Value *isspacep_shared(CallInst &call, Builder &b) {
  Value *base = emit_field(b, offsetof(ThreadState, shared), b.getPtrTy(), "shared");
  Value *offset = b.CreateSub(b.CreatePtrToInt(call.getArgOperand(0), b.getInt64Ty()),
                              b.CreatePtrToInt(base, b.getInt64Ty()));
  return b.CreateICmpULT(offset, b.CreateZExt(shared_bytes(call, b), b.getInt64Ty()));
}

Value *plain_load(CallInst &call, Builder &b) {
  uint64_t align = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getZExtValue();
  return b.CreateAlignedLoad(call.getType(), call.getArgOperand(0), llvm::Align(align ? align : 1));
}
Value *same_pointer(CallInst &call, Builder &b) {
  return b.CreatePointerBitCastOrAddrSpaceCast(call.getArgOperand(0), call.getType());
}
Value *nothing(CallInst &call, Builder &b) { return nullptr; }

struct Emitter {
  const char *name;
  Value *(*emit)(CallInst &, Builder &);
};

constexpr Emitter kEmitters[] = {
#define HEL_SIMT_CODE(name, emitter, uniform, effect) {#emitter, emitter},
#include "compiler/ir/simt_ops.def"
};

}  // namespace

Value *emit_simt_code(llvm::StringRef emitter, CallInst &call, Builder &builder) {
  for (const Emitter &known : kEmitters) {
    if (emitter == known.name) {
      return known.emit(call, builder);
    }
  }
  internal_error(__FILE__, __LINE__, "no emitter " + emitter.str());
}

}  // namespace hel::cc

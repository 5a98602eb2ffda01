// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/prefetch_masked_loads.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/loop_step.h"
#include "compiler/ir/thread_state.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

namespace hel::cc {
namespace {

using namespace llvm;

constexpr uint64_t kPage = 4096;     ///< bytes; the processor does not look ahead beyond it
constexpr uint64_t kFarTurns = 4;    ///< time enough for a line to come from the last cache

/// Shared memory and local arrays.
bool is_in_cache(const Value *place) {
  const Value *object = getUnderlyingObject(place);
  const auto *load = dyn_cast<LoadInst>(object);
  return isa<AllocaInst>(object) || (load != nullptr && is_shared_window(*load));
}

/// A stream: what is read under a mask that is known only at run time, somewhere else in each turn of a loop. What is
/// worked on again is in the cache.
bool is_stream(const Instruction &inst, const LoopInfo &loops) {
  const auto *load = dyn_cast<IntrinsicInst>(&inst);
  if (load == nullptr || load->getIntrinsicID() != Intrinsic::masked_load || isa<Constant>(load->getArgOperand(1))) {
    return false;
  }
  const Loop *loop = loops.getLoopFor(load->getParent());
  const Value *place = load->getArgOperand(0);
  return loop != nullptr && !loop->isLoopInvariant(place) && !is_in_cache(place);
}

/// What the next turn reads, if that is known: what this one reads is being waited for. A loop that goes from page to
/// page has nobody else who looks ahead.
void prefetch(Instruction &load, const Loop &loop) {
  IRBuilder<> builder(&load);
  Value *place = cast<CallBase>(load).getArgOperand(0);
  const uint64_t bytes = load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  if (Value *step = emit_loop_step(*place, loop, builder)) {
    const auto *known = dyn_cast<ConstantInt>(step);
    const bool is_near = known != nullptr && known->getValue().abs().ult(kPage);
    place = builder.CreatePtrAdd(place, is_near ? step : builder.CreateMul(step, builder.getInt64(kFarTurns)));
  }
  emit_prefetch(place, bytes, builder);
}

}  // namespace

Result<void> prefetch_masked_loads(Module &module, Compilation &) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.getFnAttribute("target-cpu").getValueAsString() != "x86-64-v4") {
      continue;
    }
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Instruction &inst : instructions(function)) {
      if (is_stream(inst, loops)) {
        prefetch(inst, *loops.getLoopFor(inst.getParent()));
      }
    }
  }
  return {};
}

}  // namespace hel::cc

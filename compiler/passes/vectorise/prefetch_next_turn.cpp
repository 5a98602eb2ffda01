// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/prefetch_next_turn.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/ir/loop_step.h"
#include "compiler/passes/vectorise/widener.h"

#include "llvm/IR/PatternMatch.h"

namespace hel::cc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Where `inst` reads neighbouring elements of all lanes or of a row of them; else null.
Value *place_of_lanes(Instruction &inst) {
  if (!inst.getType()->isVectorTy()) {
    return nullptr;
  }
  if (auto *load = dyn_cast<LoadInst>(&inst)) {
    return load->isSimple() ? load->getPointerOperand() : nullptr;
  }
  auto *masked = dyn_cast<IntrinsicInst>(&inst);
  return masked != nullptr && masked->getIntrinsicID() == Intrinsic::masked_load ? masked->getArgOperand(0) : nullptr;
}

}  // namespace

void prefetch_next_turn(Function &body, function_ref<bool(const CallBase &)> is_barrier) {
  const DominatorTree dominators(body);
  const LoopInfo loops(dominators);
  SmallPtrSet<const Loop *, 4> around;
  SmallVector<Instruction *, 16> read;
  for (Instruction &inst : instructions(body)) {
    const Loop *loop = loops.getLoopFor(inst.getParent());
    if (auto *call = dyn_cast<CallBase>(&inst); call != nullptr && is_barrier(*call)) {
      around.insert(loop);
    } else if (loop != nullptr && place_of_lanes(inst) != nullptr) {
      read.push_back(&inst);
    }
  }
  for (Instruction *inst : read) {
    const Loop *loop = loops.getLoopFor(inst->getParent());
    Value *place = place_of_lanes(*inst);
    if (!around.contains(loop) || is_in_small_memory(place, body.getDataLayout())) {
      continue;
    }
    IRBuilder<> builder(inst);
    Value *step = emit_loop_step(*place, *loop, builder);
    if (step != nullptr && !match(step, m_Zero())) {
      uint64_t bytes = body.getDataLayout().getTypeStoreSize(inst->getType()).getFixedValue();
      emit_prefetch(builder.CreatePtrAdd(place, step), bytes, builder);
    }
  }
}

}  // namespace hel::cc

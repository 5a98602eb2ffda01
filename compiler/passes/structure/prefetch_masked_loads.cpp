// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/prefetch_masked_loads.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>

namespace hel::cc {
namespace {

using namespace llvm;

constexpr int64_t kCacheLine = 64;  ///< bytes

/// A stream: what is read under a mask that is known only at run time, somewhere else in each turn of a loop. Local
/// arrays and what is worked on again are in the cache.
bool is_stream(const Instruction &inst, const LoopInfo &loops) {
  const auto *load = dyn_cast<IntrinsicInst>(&inst);
  if (load == nullptr || load->getIntrinsicID() != Intrinsic::masked_load || isa<Constant>(load->getArgOperand(1))) {
    return false;
  }
  const Loop *loop = loops.getLoopFor(load->getParent());
  const Value *place = load->getArgOperand(0);
  return loop != nullptr && !loop->isLoopInvariant(place) && !isa<AllocaInst>(getUnderlyingObject(place));
}

/// By how much `value` differs from one turn of the loop to the next, if nothing wraps around; none if that is not a
/// known number.
std::optional<int64_t> step_of(const Value &value, const Loop &loop) {
  const auto *inst = dyn_cast<Instruction>(&value);
  if (inst == nullptr || !loop.contains(inst)) {
    return 0;
  }
  if (const auto *phi = dyn_cast<PHINode>(inst)) {
    const BasicBlock *latch = loop.getLoopLatch();
    const auto *next = phi->getParent() == loop.getHeader() && latch != nullptr
                           ? dyn_cast<Instruction>(phi->getIncomingValueForBlock(latch))
                           : nullptr;
    const auto *step = next != nullptr && next->getOpcode() == Instruction::Add && next->getOperand(0) == phi
                           ? dyn_cast<ConstantInt>(next->getOperand(1))
                           : nullptr;
    return step != nullptr ? std::optional(step->getSExtValue()) : std::nullopt;
  }
  if (isa<SExtInst, ZExtInst>(inst)) {
    return step_of(*inst->getOperand(0), loop);
  }
  int64_t scale = 1;
  if (const auto *gep = dyn_cast<GetElementPtrInst>(inst); gep != nullptr && gep->getNumIndices() == 1) {
    scale = static_cast<int64_t>(gep->getDataLayout().getTypeAllocSize(gep->getSourceElementType()).getFixedValue());
  } else if (inst->getOpcode() != Instruction::Add) {
    return std::nullopt;
  }
  std::optional<int64_t> first = step_of(*inst->getOperand(0), loop), second = step_of(*inst->getOperand(1), loop);
  return first && second ? std::optional(*first + *second * scale) : std::nullopt;
}

/// Where the next turn reads, if that is known: what this one reads is being waited for.
void prefetch(Instruction &load, const Loop &loop) {
  IRBuilder<> builder(&load);
  Value *place = cast<CallBase>(load).getArgOperand(0);
  const auto bytes = static_cast<int64_t>(load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
  const int64_t step = step_of(*place, loop).value_or(0);
  Value *read = builder.getInt32(0), *keep = builder.getInt32(3), *data = builder.getInt32(1);
  for (int64_t offset = 0; offset < bytes; offset += kCacheLine) {
    Value *line = builder.CreateConstGEP1_64(builder.getInt8Ty(), place, step + offset);
    builder.CreateIntrinsic(Intrinsic::prefetch, {place->getType()}, {line, read, keep, data});
  }
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

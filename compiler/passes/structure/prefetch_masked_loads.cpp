// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/structure/prefetch_masked_loads.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr uint64_t kCacheLine = 64;  ///< bytes
constexpr uint64_t kPage = 4096;     ///< bytes; the processor does not look ahead beyond it
constexpr uint64_t kFarTurns = 4;    ///< time enough for a line to come from the last cache

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

/// By how much `value` differs from one turn of the loop to the next, if nothing wraps around, in 64 bits; null if that
/// is not the same in all turns.
Value *step_of(Value &value, const Loop &loop, IRBuilder<> &builder) {
  auto *inst = dyn_cast<Instruction>(&value);
  if (inst == nullptr || !loop.contains(inst)) {
    return builder.getInt64(0);
  }
  if (auto *phi = dyn_cast<PHINode>(inst)) {
    BasicBlock *latch = loop.getLoopLatch();
    auto *next = phi->getParent() == loop.getHeader() && latch != nullptr
                     ? dyn_cast<Instruction>(phi->getIncomingValueForBlock(latch))
                     : nullptr;
    bool counts = next != nullptr && next->getOpcode() == Instruction::Add && next->getOperand(0) == phi &&
                  loop.isLoopInvariant(next->getOperand(1));
    return counts ? builder.CreateSExtOrTrunc(next->getOperand(1), builder.getInt64Ty()) : nullptr;
  }
  if (isa<SExtInst, ZExtInst>(inst)) {
    return step_of(*inst->getOperand(0), loop, builder);
  }
  uint64_t scale = 1;
  if (auto *gep = dyn_cast<GetElementPtrInst>(inst); gep != nullptr && gep->getNumIndices() == 1) {
    scale = gep->getDataLayout().getTypeAllocSize(gep->getSourceElementType()).getFixedValue();
  } else if (inst->getOpcode() != Instruction::Add) {
    return nullptr;
  }
  Value *first = step_of(*inst->getOperand(0), loop, builder);
  Value *second = first != nullptr ? step_of(*inst->getOperand(1), loop, builder) : nullptr;
  if (second == nullptr) {
    return nullptr;
  }
  Value *scaled = scale == 1 ? second : builder.CreateMul(second, builder.getInt64(scale));
  return match(first, m_Zero()) ? scaled : builder.CreateAdd(first, scaled);
}

/// What the next turn reads, if that is known: what this one reads is being waited for. A loop that goes from page to
/// page has nobody else who looks ahead.
void prefetch(Instruction &load, const Loop &loop) {
  IRBuilder<> builder(&load);
  Value *place = cast<CallBase>(load).getArgOperand(0);
  const uint64_t bytes = load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue();
  if (Value *step = step_of(*place, loop, builder)) {
    const auto *known = dyn_cast<ConstantInt>(step);
    const bool is_near = known != nullptr && known->getValue().abs().ult(kPage);
    place = builder.CreatePtrAdd(place, is_near ? step : builder.CreateMul(step, builder.getInt64(kFarTurns)));
  }
  Value *read = builder.getInt32(0), *keep = builder.getInt32(3), *data = builder.getInt32(1);
  for (uint64_t offset = 0; offset < bytes; offset += kCacheLine) {
    Value *line = offset == 0 ? place : builder.CreateConstGEP1_64(builder.getInt8Ty(), place, offset);
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

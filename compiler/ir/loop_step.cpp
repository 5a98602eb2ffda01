// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/loop_step.h"

#include "compiler/ir/llvm_headers.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr uint64_t kCacheLine = 64;  ///< bytes

/// What a value is made of that is linear in its operands; null operands of the sum do not count.
struct Linear {
  Value *first = nullptr, *second = nullptr;
  Value *factor = nullptr;  ///< of the second
  bool subtracts = false;
};

bool is_linear(Instruction &inst, const Loop &loop, Linear &made) {
  Value *a = nullptr, *b = nullptr;
  Type *i64 = Type::getInt64Ty(inst.getContext());
  if (isa<SExtInst, ZExtInst>(inst)) {
    made.first = inst.getOperand(0);
  } else if (match(&inst, m_Add(m_Value(a), m_Value(b))) || match(&inst, m_DisjointOr(m_Value(a), m_Value(b)))) {
    made = {a, b};
  } else if (match(&inst, m_Sub(m_Value(a), m_Value(b)))) {
    made = {a, b, nullptr, true};
  } else if (uint64_t shift = 0; match(&inst, m_Shl(m_Value(a), m_ConstantInt(shift))) && shift < 64) {
    made = {nullptr, a, ConstantInt::get(i64, uint64_t{1} << shift)};
  } else if (match(&inst, m_Mul(m_Value(a), m_Value(b)))) {
    made = loop.isLoopInvariant(b) ? Linear{nullptr, a, b} : Linear{nullptr, b, a};
    return loop.isLoopInvariant(made.factor);
  } else if (auto *gep = dyn_cast<GetElementPtrInst>(&inst);
             gep != nullptr && gep->getNumIndices() == 1 && !gep->getType()->isVectorTy()) {
    uint64_t size = gep->getDataLayout().getTypeAllocSize(gep->getSourceElementType()).getFixedValue();
    made = {gep->getPointerOperand(), gep->getOperand(1), ConstantInt::get(i64, size)};
  } else {
    return false;
  }
  return true;
}

/// A variable of the loop that counts: what is added in each turn.
Value *step_of_counter(PHINode &phi, const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *next = phi.getParent() == loop.getHeader() && latch != nullptr
                   ? dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch))
                   : nullptr;
  Value *step = nullptr;
  bool counts = next != nullptr && match(next, m_c_Add(m_Specific(&phi), m_Value(step))) && loop.isLoopInvariant(step);
  return counts ? step : nullptr;
}

/// As emit_loop_step, of a value that is made in at most `depth` operations one after the other: sums of sums of the
/// same values would take time without end.
Value *emit_step(Value &value, const Loop &loop, IRBuilder<> &builder, unsigned depth) {
  auto *inst = dyn_cast<Instruction>(&value);
  if (inst == nullptr || !loop.contains(inst)) {
    return builder.getInt64(0);
  }
  if (auto *phi = dyn_cast<PHINode>(inst)) {
    Value *step = step_of_counter(*phi, loop);
    return step != nullptr ? builder.CreateSExtOrTrunc(step, builder.getInt64Ty()) : nullptr;
  }
  Linear parts;
  if (depth == 0 || !is_linear(*inst, loop, parts)) {
    return nullptr;
  }
  Value *total = parts.first != nullptr ? emit_step(*parts.first, loop, builder, depth - 1) : builder.getInt64(0);
  if (total == nullptr || parts.second == nullptr) {
    return total;
  }
  Value *other = emit_step(*parts.second, loop, builder, depth - 1);
  if (other == nullptr || match(other, m_Zero())) {
    return other == nullptr ? nullptr : total;
  }
  if (parts.factor != nullptr) {
    other = builder.CreateMul(other, builder.CreateSExtOrTrunc(parts.factor, builder.getInt64Ty()));
  }
  if (match(total, m_Zero()) && !parts.subtracts) {
    return other;
  }
  return parts.subtracts ? builder.CreateSub(total, other) : builder.CreateAdd(total, other);
}

}  // namespace

Value *emit_loop_step(Value &value, const Loop &loop, IRBuilder<> &builder) {
  constexpr unsigned kDeepest = 10;
  return emit_step(value, loop, builder, kDeepest);
}

void emit_prefetch(Value *place, uint64_t bytes, IRBuilder<> &builder) {
  Value *read = builder.getInt32(0), *keep = builder.getInt32(3), *data = builder.getInt32(1);
  for (uint64_t offset = 0; offset < bytes; offset += kCacheLine) {
    Value *line = offset == 0 ? place : builder.CreateConstGEP1_64(builder.getInt8Ty(), place, offset);
    builder.CreateIntrinsic(Intrinsic::prefetch, {line->getType()}, {line, read, keep, data});
  }
}

bool is_prefetch(const Instruction &inst) {
  const auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call != nullptr && call->getIntrinsicID() == Intrinsic::prefetch;
}

}  // namespace hel::cc

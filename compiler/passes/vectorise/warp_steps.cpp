// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/warp_steps.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/phase_writer.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

/// So far that sums for all warps of a block do not wrap around.
static constexpr int64_t kLargestStep = int64_t{1} << 24;

static constexpr unsigned kLongestWay = 16;  ///< blocks, back to where warps parted
static constexpr unsigned kMostPhis = 2;     ///< one behind the other

/// Both compute the same from the same.
static bool are_same(const Value &a, const Value &b, unsigned depth = 0) {
  constexpr unsigned kDeepest = 6;
  if (&a == &b) {
    return true;
  }
  const auto *one = dyn_cast<Instruction>(&a), *other = dyn_cast<Instruction>(&b);
  if (one == nullptr || other == nullptr || depth == kDeepest || isa<PHINode>(one) || !one->isSameOperationAs(other) ||
      one->mayHaveSideEffects() || (one->mayReadFromMemory() && !one->hasMetadata(LLVMContext::MD_invariant_load))) {
    return false;
  }
  return all_of(zip(one->operands(), other->operands()),
                [&](auto pair) { return are_same(*std::get<0>(pair), *std::get<1>(pair), depth + 1); });
}

static bool is_number(const Type *type) { return type->isIntegerTy(32) || type->isIntegerTy(64); }

WarpSteps::WarpSteps(const Function &body, const JointWarps &joint) : body_(body), joint_(joint) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const BasicBlock *block : joint.blocks()) {
      for (const Instruction &inst : *block) {
        if (joint.differs(&inst) && (is_number(inst.getType()) || inst.getType()->isPointerTy())) {
          const Step now = compute(inst);
          Step &known = steps_[&inst];
          changed |= !(known == now);
          known = now;
        }
      }
    }
  }
}

std::optional<int64_t> WarpSteps::of(const Value *value) const {
  const Step known = step(value);
  return known.kind == Step::Known ? std::optional(known.value) : std::nullopt;
}

WarpSteps::Step WarpSteps::step(const Value *value) const {
  const auto *inst = dyn_cast<Instruction>(value);
  if (value == body_.getArg(kWarp)) {
    return {Step::Known, 1};
  }
  if (inst == nullptr || (!joint_.differs(inst) && !isa<AllocaInst>(inst))) {
    return {Step::Known, 0};
  }
  bool known = joint_.blocks().contains(inst->getParent()) && !joint_.is_loaded(inst) &&
               (is_number(inst->getType()) || inst->getType()->isPointerTy());
  return known ? steps_.lookup(inst) : Step{Step::Any};
}

/// a + b * factor
WarpSteps::Step WarpSteps::sum(Step a, Step b, int64_t factor) {
  if (a.kind == Step::Any || b.kind == Step::Any) {
    return {Step::Any};
  }
  int64_t product = 0, total = 0;
  if (a.kind == Step::Unknown || b.kind == Step::Unknown) {
    return {};
  }
  bool large = MulOverflow(b.value, factor, product) || AddOverflow(a.value, product, total) || total > kLargestStep ||
               total < -kLargestStep;
  return large ? Step{Step::Any} : Step{Step::Known, total};
}

WarpSteps::Step WarpSteps::compute(const Instruction &inst) const {
  const Value *a = nullptr, *b = nullptr;
  uint64_t number = 0;
  const Step none{Step::Known, 0};
  if (match(&inst, m_Add(m_Value(a), m_Value(b))) || match(&inst, m_DisjointOr(m_Value(a), m_Value(b)))) {
    return sum(step(a), step(b));
  }
  if (match(&inst, m_Sub(m_Value(a), m_Value(b)))) {
    return sum(step(a), step(b), -1);
  }
  if (match(&inst, m_Shl(m_Value(a), m_ConstantInt(number))) && number < 32) {
    return sum(none, step(a), int64_t{1} << number);
  }
  if (match(&inst, m_Mul(m_Value(a), m_ConstantInt(number))) && number < static_cast<uint64_t>(kLargestStep)) {
    return sum(none, step(a), static_cast<int64_t>(number));
  }
  if (const auto *phi = dyn_cast<PHINode>(&inst)) {
    return step_of_phi(*phi);
  }
  if (const auto *address = dyn_cast<GetElementPtrInst>(&inst)) {
    return step_of_address(*address);
  }
  const auto *cast = dyn_cast<CastInst>(&inst);
  if (isa<TruncInst>(inst) || (isa<ZExtInst, SExtInst>(inst) && is_number(cast->getSrcTy()))) {
    const Step narrow = step(inst.getOperand(0));
    return narrow.kind != Step::Known || isa<TruncInst>(inst) || never_wraps(*cast) ? narrow : Step{Step::Any};
  }
  return {Step::Any};
}

WarpSteps::Step WarpSteps::step_of_phi(const PHINode &phi) const {
  Step all;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); i++) {
    const Step one = joint_.blocks().contains(phi.getIncomingBlock(i)) ? step(phi.getIncomingValue(i)) : Step{};
    if (all.kind == Step::Unknown) {
      all = one;
    } else if (one.kind != Step::Unknown && !(one == all)) {
      return {Step::Any};
    }
  }
  return all;
}

WarpSteps::Step WarpSteps::step_of_address(const GetElementPtrInst &address) const {
  Step all = step(address.getPointerOperand());
  const DataLayout &dl = body_.getDataLayout();
  for (auto type = gep_type_begin(address); type != gep_type_end(address); ++type) {
    const Value *index = type.getOperand();
    if (type.isStruct() || isa<Constant>(index)) {
      continue;
    }
    const Step one = step(index);
    // A narrow index is extended on the way.
    bool narrow = !index->getType()->isIntegerTy(64) && !(one == Step{Step::Known, 0});
    all = sum(all, narrow && one.kind != Step::Unknown ? Step{Step::Any} : one,
              static_cast<int64_t>(type.getSequentialElementStride(dl).getFixedValue()));
  }
  return all;
}

std::optional<WarpSteps::Comparison> WarpSteps::comparison(const Value &condition) const {
  const auto *compare = dyn_cast<ICmpInst>(&condition);
  if (compare == nullptr || !compare->isRelational() || !is_number(compare->getOperand(0)->getType())) {
    return std::nullopt;
  }
  for (unsigned operand = 0; operand < 2; operand++) {
    const Step rising = step(compare->getOperand(operand)), other = step(compare->getOperand(1 - operand));
    if (rising.kind == Step::Known && rising.value > 0 && other == Step{Step::Known, 0}) {
      return Comparison{compare->getOperand(operand),
                        operand == 0 ? compare->getPredicate() : compare->getSwappedPredicate(),
                        compare->hasSameSign()};
    }
  }
  return std::nullopt;
}

/// Warps do not part at a branch on `condition`, which `holds` for all of them or for none, unless `value` is in order:
/// that it holds tells what it is made of.
bool WarpSteps::tells_order(const Value &condition, const Value &value, Order order, bool holds) const {
  const Value *one = nullptr, *other = nullptr;
  if (holds && match(&condition, m_And(m_Value(one), m_Value(other)))) {
    return tells_order(*one, value, order, holds) || tells_order(*other, value, order, holds);
  }
  auto known = comparison(condition);
  return known && are_same(*known->rising, value) &&
         (order == Order::Either || known->same_sign ||
          CmpInst::isSigned(known->predicate) == (order == Order::Signed));
}

/// Who goes from `from` to `to` has been asked whether `value` is in order.
bool WarpSteps::is_in_order(const Value &value, const BasicBlock &from, const BasicBlock &to, Order order) const {
  const auto *branch = dyn_cast<BranchInst>(from.getTerminator());
  return branch != nullptr && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) &&
         tells_order(*branch->getCondition(), value, order, branch->getSuccessor(0) == &to);
}

/// On every way to the end of `block`, warps have parted where `value` was not in order.
bool WarpSteps::is_in_order_at(const Value &value, const BasicBlock &block, Order order, unsigned depth) const {
  const BasicBlock *at = &block;
  for (unsigned i = 0; i < kLongestWay; i++) {
    if (const auto *phi = dyn_cast<PHINode>(&value); phi != nullptr && phi->getParent() == at && depth < kMostPhis) {
      return all_of(zip(phi->blocks(), phi->incoming_values()), [&](auto way) {
        auto [from, incoming] = way;
        return !joint_.blocks().contains(from) || is_in_order(*incoming, *from, *at, order) ||
               is_in_order_at(*incoming, *from, order, depth + 1);
      });
    }
    const BasicBlock *before = at->getSinglePredecessor();
    if (before == nullptr || !joint_.blocks().contains(before) || is_in_order(value, *before, *at, order)) {
      return before != nullptr && joint_.blocks().contains(before);
    }
    at = before;
  }
  return false;
}

/// The most that a value can be which follows from the number of a warp, of which there are few.
static std::optional<uint64_t> most(const Value &value, const Value &warp, unsigned depth = 0) {
  constexpr unsigned kDeepest = 3;
  const Value *part = nullptr;
  const APInt *number = nullptr;
  if (&value == &warp) {
    return PhaseState::kMostWarps - 1;
  }
  bool shifts = match(&value, m_Shl(m_Value(part), m_APInt(number))), adds = false;
  if (depth == kDeepest || (!shifts && !match(&value, m_Mul(m_Value(part), m_APInt(number))) &&
                            !(adds = match(&value, m_AddLike(m_Value(part), m_APInt(number)))))) {
    return std::nullopt;
  }
  auto known = most(*part, warp, depth + 1);
  if (!known || number->uge(shifts ? 16 : uint64_t{1} << 20)) {
    return std::nullopt;
  }
  const uint64_t factor = number->getZExtValue();
  known = shifts ? *known << factor : adds ? *known + factor : *known * factor;
  return *known < (uint64_t{1} << 31) ? known : std::nullopt;
}

bool WarpSteps::never_wraps(const CastInst &extension) const {
  if (most(*extension.getOperand(0), *body_.getArg(kWarp))) {
    return true;
  }
  const Order order = isa<SExtInst>(extension) ? Order::Signed
                      : extension.hasNonNeg()  ? Order::Either
                                               : Order::Unsigned;
  return is_in_order_at(*extension.getOperand(0), *extension.getParent(), order, 0);
}

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/passes/vectorise/idle_warps.h"

#include "compiler/ir/llvm_headers.h"
#include "compiler/passes/vectorise/block_function.h"
#include "compiler/passes/vectorise/needless_barriers.h"
#include "compiler/passes/vectorise/phase_writer.h"

#include "llvm/IR/PatternMatch.h"

namespace hel::cc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned kDeepest = 6;

/// warp * factor + offset
struct Rising {
  uint64_t factor, offset;
};

/// `value` as a number that rises with the warp's and stays below 2^31: its order is that of the warps.
std::optional<Rising> rising(const Value *value, const Function &body, unsigned depth = 0) {
  constexpr uint64_t kLimit = uint64_t{1} << 31;
  if (value == body.getArg(kWarp)) {
    return Rising{1, 0};
  }
  const Value *other = nullptr;
  const APInt *constant = nullptr;
  if (depth == kDeepest) {
    return std::nullopt;
  }
  if (match(value, m_ZExtOrSExt(m_Value(other)))) {
    return rising(other, body, depth + 1);
  }
  auto made = [&](auto &&apply) -> std::optional<Rising> {
    auto inner = constant->ult(kLimit) ? rising(other, body, depth + 1) : std::nullopt;
    if (!inner) {
      return std::nullopt;
    }
    const Rising outer = apply(*inner, constant->getZExtValue());
    bool small = outer.factor < kLimit && outer.offset < kLimit &&
                 outer.factor * (PhaseState::kMostWarps - 1) + outer.offset < kLimit;
    return small ? std::optional(outer) : std::nullopt;
  };
  if (match(value, m_Shl(m_Value(other), m_APInt(constant)))) {
    return made([](Rising r, uint64_t by) {
      return by < 31 ? Rising{r.factor << by, r.offset << by} : Rising{kLimit, kLimit};
    });
  }
  if (match(value, m_Mul(m_Value(other), m_APInt(constant)))) {
    return made([](Rising r, uint64_t by) { return Rising{r.factor * by, r.offset * by}; });
  }
  if (match(value, m_AddLike(m_Value(other), m_APInt(constant)))) {
    return made([](Rising r, uint64_t by) { return Rising{r.factor, r.offset + by}; });
  }
  return std::nullopt;
}

}  // namespace

IdleWarps::IdleWarps(const Function &body, const PhaseValues &values, ArrayRef<BasicBlock *> blocks,
                     const DenseMap<const Instruction *, size_t> &barriers)
    : body_(body), values_(values), barriers_(barriers) {
  ways_.insert(blocks.front());
  for (size_t i = 0; i < ways_.size(); i++) {
    if (!follow(*ways_[i])) {
      busy_edges_.clear();
      return;
    }
  }
}

bool IdleWarps::is_uniform(const Value *value) const {
  if (const auto *inst = dyn_cast<Instruction>(value)) {
    return values_.is_uniform(inst);
  }
  return value != body_.getArg(kWarp) && value != body_.getArg(kLanes);
}

/// What the condition is for all warps behind one for which it is that. Nothing if there is no such truth.
std::optional<bool> IdleWarps::idle_truth(const Value *condition, unsigned depth) const {
  const Value *a = nullptr, *b = nullptr;
  if (depth == kDeepest) {
    return std::nullopt;
  }
  if (match(condition, m_Not(m_Value(a)))) {
    auto truth = idle_truth(a, depth + 1);
    return truth ? std::optional(!*truth) : std::nullopt;
  }
  if (match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) || match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    if (is_uniform(a) || is_uniform(b)) {
      return idle_truth(is_uniform(a) ? b : a, depth + 1);
    }
    auto first = idle_truth(a, depth + 1), second = idle_truth(b, depth + 1);
    return first == second ? first : std::nullopt;
  }
  const auto *compare = dyn_cast<ICmpInst>(condition);
  if (compare == nullptr || !compare->isRelational()) {
    return std::nullopt;
  }
  CmpInst::Predicate predicate = compare->getPredicate();
  const Value *number = compare->getOperand(0), *bound = compare->getOperand(1);
  if (is_uniform(number)) {
    std::swap(number, bound);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  if (!is_uniform(bound) || !rising(number, body_)) {
    return std::nullopt;
  }
  return ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate);
}

/// Goes on behind `block`; false if a warp does something there, or may go where those behind it do not.
bool IdleWarps::follow(const BasicBlock &block) {
  const Instruction *end = block.getTerminator(), *last = end->getPrevNode();
  bool stops = last != nullptr && barriers_.contains(last);
  for (const Instruction &inst : block) {
    bool is_stop = stops && &inst == last && inst.getType()->isVoidTy();
    if (inst.mayHaveSideEffects() && !is_stop && !PhaseWriter::is_passed(inst, nullptr)) {
      return false;
    }
  }
  if (stops || isa<ReturnInst>(end)) {
    return true;
  }
  const auto *branch = dyn_cast<BranchInst>(end);
  if (branch == nullptr) {
    return false;
  }
  if (branch->isUnconditional() || is_uniform(branch->getCondition())) {
    ways_.insert(succ_begin(&block), succ_end(&block));
    return true;
  }
  unsigned idle = 0;
  if (auto truth = idle_truth(branch->getCondition())) {
    idle = *truth ? 0 : 1;
  } else if (is_way_of_first_warp(*branch, 0, body_)) {
    idle = 1;
  } else if (!is_way_of_first_warp(*branch, 1, body_)) {
    return false;
  }
  if (branch->getSuccessor(0) == branch->getSuccessor(1)) {
    return false;
  }
  ways_.insert(branch->getSuccessor(idle));
  busy_edges_.insert({&block, branch->getSuccessor(1 - idle)});
  return true;
}

const Value *IdleWarps::value_of(const Value *value) const {
  for (unsigned depth = 0; depth < kDeepest; depth++) {
    const auto *phi = dyn_cast<PHINode>(value);
    if (phi == nullptr || !ways_.contains(phi->getParent())) {
      return value;
    }
    const Value *common = nullptr;
    for (const BasicBlock *from : phi->blocks()) {
      if (!ways_.contains(from) || busy_edges_.contains({from, phi->getParent()})) {
        continue;
      }
      const Value *incoming = phi->getIncomingValueForBlock(from);
      if (common != nullptr && common != incoming) {
        return value;
      }
      common = incoming;
    }
    if (common == nullptr) {
      return value;
    }
    value = common;
  }
  return value;
}

}  // namespace hel::cc

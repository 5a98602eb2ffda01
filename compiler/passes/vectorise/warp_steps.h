// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What follows from one warp's value for its neighbours': indices and addresses of warps that run jointly
// (joint_warps.h) are mostly the same number apart. Then one of them is computed, the others are constants beyond it,
// which addresses take for nothing, and a comparison of the first and the last one tells about all:
//
//     i < n for warps 0 … 7, 32 apart:   all of them where i0 <= i7 < n      none where i0 <= i7 and i0 >= n
//
// Internal to split_phases.
#pragma once

#include "compiler/passes/vectorise/joint_warps.h"

#include "llvm/IR/Instructions.h"

#include <optional>

namespace hel::cc {

class WarpSteps {
public:
  WarpSteps(const llvm::Function &body, const JointWarps &joint);

  /// The value of each warp that runs jointly is that of the one before plus so much (bytes for pointers), modulo the
  /// size of its type.
  std::optional<int64_t> of(const llvm::Value *value) const;

  /// A comparison of what rises from warp to warp with what they have alike.
  struct Comparison {
    const llvm::Value *rising;
    llvm::CmpInst::Predicate predicate;  ///< of `rising` and the other
    bool same_sign;
  };
  std::optional<Comparison> comparison(const llvm::Value &condition) const;

private:
  /// Of what is known at a time: nothing yet, a constant, or that it is none.
  struct Step {
    enum Kind { Unknown, Known, Any } kind = Unknown;
    int64_t value = 0;
    bool operator==(const Step &) const = default;
  };
  Step step(const llvm::Value *value) const;
  Step step_of_phi(const llvm::PHINode &phi) const;
  Step step_of_address(const llvm::GetElementPtrInst &address) const;
  Step compute(const llvm::Instruction &inst) const;
  enum class Order { Signed, Unsigned, Either };
  bool tells_order(const llvm::Value &condition, const llvm::Value &value, Order order, bool holds) const;
  bool is_in_order(const llvm::Value &value, const llvm::BasicBlock &from, const llvm::BasicBlock &to,
                   Order order) const;
  bool is_in_order_at(const llvm::Value &value, const llvm::BasicBlock &block, Order order, unsigned depth) const;
  bool never_wraps(const llvm::CastInst &extension) const;
  static Step sum(Step a, Step b, int64_t factor = 1);

  const llvm::Function &body_;
  const JointWarps &joint_;
  llvm::DenseMap<const llvm::Instruction *, Step> steps_;
};

}  // namespace hel::cc

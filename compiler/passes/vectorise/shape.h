// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp hold in one SSA value: the same value, values that step by a constant, or anything.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <memory>

namespace hel::cc {

/// How the threads of a block fill its warps: decides what threadIdx looks like across lanes.
enum class LaneLayout {
  RowsOf32,  ///< threadIdx.x steps by 1, threadIdx.y and .z are uniform: blockDim.x is a multiple of 32, or y = z = 1
  General,   ///< nothing is known
};

struct Shape {
  enum Kind : uint8_t { Unknown, Uniform, Affine, Varying };
  Kind kind = Unknown;
  /// Affine integers and pointers: lane l holds base + l * stride (pointers: in bytes), modulo the type's width.
  int64_t stride = 0;
  /// Affine integers: that also holds after sign / zero extension (no lane wraps around).
  bool exact_signed = false;
  bool exact_unsigned = false;

  static Shape uniform() { return {Uniform, 0, true, true}; }
  static Shape varying() { return {Varying, 0, false, false}; }
  static Shape affine(int64_t stride, bool exact_signed, bool exact_unsigned) {
    return {Affine, stride, exact_signed, exact_unsigned};
  }
  bool is_uniform() const { return kind == Uniform; }
  bool is_affine() const { return kind == Affine; }
  bool operator==(const Shape &) const = default;
};

/// Size of one lane's copy of a local variable: the distance between the copies of two lanes.
uint64_t lane_bytes(const llvm::AllocaInst &alloca);

/// Shapes of all values of one kernel. Holds the uniformity analysis that they refine.
class ShapeAnalysis {
public:
  ShapeAnalysis(llvm::Function &kernel, LaneLayout layout);
  ~ShapeAnalysis();

  Shape of(const llvm::Value *value) const;
  /// The branch or switch at the end of `block` may send lanes of one warp different ways.
  bool is_divergent_branch(const llvm::BasicBlock *block) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hel::cc

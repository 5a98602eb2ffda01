// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp hold in one SSA value: the same value, values that step by a constant (through the warp, or
// through each of its rows), or anything.
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
  RowsOf16,  ///< blockDim.x is 16: a warp is two rows of threads
  RowsOf8,   ///< blockDim.x is 8: a warp is four rows of threads
  General,   ///< nothing is known
};

/// Lanes that share threadIdx.y and .z and count threadIdx.x from 0: 16 or 8; else 0.
constexpr unsigned short_row(LaneLayout layout) {
  return layout == LaneLayout::RowsOf16 ? 16 : layout == LaneLayout::RowsOf8 ? 8 : 0;
}

struct Shape {
  enum Kind : uint8_t {
    Unknown,
    Uniform,  ///< one value
    Affine,   ///< lane l holds base + l * stride
    Rows,     ///< lane l of row r holds base[r] + (l % width) * stride, where rows are short
    Varying,
  };
  Kind kind = Unknown;
  /// Affine and Rows, integers and pointers (in bytes), modulo the type's width.
  int64_t stride = 0;
  /// Affine and Rows integers: that also holds after sign / zero extension (no lane wraps around).
  bool exact_signed = false;
  bool exact_unsigned = false;
  /// Affine and Rows: true only if an index did not wrap around, which a check at run time tells.
  bool guarded = false;

  static Shape uniform() { return {Uniform, 0, true, true, false}; }
  static Shape varying() { return {Varying, 0, false, false, false}; }
  static Shape affine(int64_t stride, bool exact_signed, bool exact_unsigned) {
    return {Affine, stride, exact_signed, exact_unsigned, false};
  }
  static Shape rows(int64_t stride) { return {Rows, stride, true, true, false}; }
  bool is_uniform() const { return kind == Uniform; }
  bool is_linear() const { return kind == Affine || kind == Rows; }
  bool is_same_in_row() const { return kind == Uniform || (kind == Rows && stride == 0 && !guarded); }
  bool operator==(const Shape &) const = default;
};

/// An extension, of lanes that hold `from`, by their sign. One by zeros of what is known not to be negative in the
/// lanes that are there does as well: other lanes may count through 0 (`if (i >= k) a[i - k]`).
bool extends_sign(const llvm::CastInst &extension, const Shape &from);

/// Size of one lane's copy of a local variable: the distance between the copies of two lanes.
uint64_t lane_bytes(const llvm::AllocaInst &alloca);

/// Shapes of all values of one kernel. Holds the uniformity analysis that they refine.
class ShapeAnalysis {
public:
  /// `whole_rows`, of rows of 32: blockDim.x is a multiple of 32.
  ShapeAnalysis(llvm::Function &kernel, LaneLayout layout, bool whole_rows);
  ~ShapeAnalysis();

  Shape of(const llvm::Value *value) const;
  /// The branch or switch at the end of `block` may send lanes of one warp different ways.
  bool is_divergent_branch(const llvm::BasicBlock *block) const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hel::cc

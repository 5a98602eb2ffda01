// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses to members of neighbouring records (a[i].x, float4, every second element) that one wide access does for all
// lanes.
//
//        lane 0        lane 1        lane 2
//     [ x0 y0 z0 | x1 y1 z1 | x2 y2 z2 | … ]      period 3; a load of x and one of z: positions 0 and 2
#pragma once

#include "compiler/passes/vectorise/shape.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

#include <vector>

namespace hel::cc {

/// Loads, or stores, of one basic block between which nothing comes that could tell the difference.
struct RecordAccess {
  bool stores = false;
  unsigned element_bytes = 0;
  unsigned period = 0;                                ///< elements from one lane's to the next one's
  llvm::SmallVector<llvm::Instruction *, 4> members;  ///< in program order
  llvm::SmallVector<unsigned, 4> positions;           ///< of the members in the record; the lowest is 0
  int64_t start = 0;                                  ///< bytes from the first member's address to position 0

  /// Where the wide access stands.
  llvm::Instruction *place() const { return stores ? members.back() : members.front(); }
  unsigned width() const;  ///< from the first to the last position, both counted
};

/// Those of `block` that are worth it.
std::vector<RecordAccess> find_record_accesses(llvm::BasicBlock &block, const ShapeAnalysis &shapes);

}  // namespace hel::cc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the numbers by which the lanes of a warp count threads: where they start, and when nothing of the
// lane is left in them. Internal to shape.
#pragma once

#include "compiler/passes/vectorise/shape.h"

namespace hel::cc {

/// `blockIdx.x * blockDim.x + threadIdx.x`: the launch path runs widened code only where this cannot wrap, also not to
/// a negative number. A program may have written another number for blockDim.x: a multiple of the `row` of lanes that
/// count threadIdx.x from a multiple of it. That product may wrap, but no lane of a row is beyond where the first is.
/// A row of 0: no number will do.
bool is_global_index(const llvm::Value *value, unsigned row);

/// The lanes hold 32 numbers in a row, the first a multiple of 32: what is left without the lane's part is uniform.
/// `whole_rows`: blockDim.x is a multiple of 32.
bool is_row(const llvm::Value *value, const Shape &shape, bool whole_rows);

/// The kernel has operations of which more is known where blockDim.x is a multiple of 32 than elsewhere.
bool relies_on_whole_rows(const llvm::Function &kernel);

/// The operation of a row of lanes (of the shape `left`) gives the same in all of them.
bool drops_lane(const llvm::Instruction &inst, const Shape &left, bool whole_rows);

}  // namespace hel::cc
